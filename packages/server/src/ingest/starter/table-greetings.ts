/** Good mornings, good nights, hellos and thanks. See entry.ts for the columns. */
export const greetings = `
GM sunshine | sun-with-face | sunrise + hills | GM | 256 sky floor | gm, good morning, morning, sun, sunrise, wake up | 1000
GM with coffee | hot-beverage | breathe + steam | GM | 240 peach rays | gm, good morning, morning, coffee, wake up, cup | 990
GN moon | crescent-moon | drift + stars | GN | 256 night plain | gn, good night, night, moon, stars, sleep | 1000
Yes nod | smiling-face-with-smiling-eyes | nod | YES! | 240 mint rings | yes, yep, agree, nod, sure | 900
Laughing hard | face-with-tears-of-joy | laugh + tears | LOL | 240 lemon rays | lol, laugh, haha | 990
Fire | fire | jelly + rise:fire | | 200 clear | fire, lit, hot | 950
Bitcoin coin | bitcoin | flip + sparkle | | 200 clear | bitcoin, btc | 950
Facepalm | tired-face | still + slap:raised-back-of-hand | FACEPALM | 240 lilac stripes | facepalm, smh | 900
To the moon | rocket | launch + exhaust + stars | TO THE MOON | 256 night plain | moon, rocket | 900
Dancing | man-dancing | dance + confetti | | 240 grape dots | dance | 900
`;
