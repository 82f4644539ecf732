/** Mornings, nights, hellos, goodbyes, thanks and wishes. The columns are explained in entry.ts. */
export const greetings = `
# Good morning
Good morning sunshine | sun-with-face | sunrise + hills | GM | 256 sky floor | gm, good morning, morning, sun, sunrise, wake up, new day | 1000
GM with hot coffee | hot-beverage | breathe + steam | GM | 240 peach rays | gm, good morning, morning, coffee, wake up, cup | 985
Good morning, coffee first | hot-beverage | nod + steam | GOOD MORNING | 320x240 sand dots | good morning, gm, coffee, morning, breakfast, hello | 960
GM waving hello | waving-hand | wobble + lines | GM! | 200 clear | gm, good morning, wave, hi, hello, morning | 930
Sunrise over the mountains | sunrise-over-mountains | breathe + sparkle | GOOD MORNING | 240 peach waves | good morning, sunrise, mountains, morning, gm, nature | 900
Rooster says wake up | rooster | dance + lines | WAKE UP! | 240 sun rays | good morning, wake up, rooster, morning, alarm, gm | 870
Rise and shine alarm clock | alarm-clock | tremble + lines | RISE & SHINE | 220 lemon stripes | wake up, alarm, good morning, morning, late, clock, gm | 850
GM bird song | bird | jump + rise:musical-note | GM | 220 mint spot | gm, good morning, bird, singing, tweet, morning | 830
# Good night
Good night moon | crescent-moon | drift + stars | GN | 256 night plain | gn, good night, night, moon, stars, sleep, sweet dreams | 1000
Good night, sleep tight | sleeping-face | breathe + zzz + stars | GOOD NIGHT | 256 night plain | good night, gn, sleep, sleeping, zzz, bed, tired | 980
Sweet dreams | full-moon-face | float + stars | SWEET DREAMS | 240 night plain | sweet dreams, good night, gn, moon, dream, sleep | 940
GN sleeping cat | cat-face | breathe + zzz | GN | 240 lilac spot | gn, good night, cat, sleep, sleepy, kitty, zzz | 900
Off to bed | person-in-bed | breathe + zzz:#ffe27a | | 200 clear | bed, sleep, good night, gn, tired, nap, rest | 880
# Pura vida
Pura vida beach | beach-with-umbrella | sway + sparkle | PURA VIDA | 320x240 sea waves | pv, pura vida, beach, summer, chill, costa rica, relax | 1000
Pura vida sloth | sloth | swing + rise:hibiscus | PURA VIDA | 256 grass spot | pv, pura vida, sloth, slow, relax, chill, costa rica | 990
Pura vida shaka | call-me-hand | wobble + lines | PV | 240 sun rays | pv, pura vida, shaka, hang loose, call me, surf | 970
Pura vida palm tree | palm-tree | sway + rain:hibiscus | PV | 240 sky floor | pv, pura vida, palm tree, beach, island, tropical | 940
Pura vida toucan colours | parrot | jump + confetti | ¡PURA VIDA! | 240 teal dots | pv, pura vida, parrot, jungle, tropical, costa rica, bird | 930
# Hello and goodbye
Hello there, waving hand | waving-hand | wobble | HELLO! | 240 sky dots | hello, hi, hey, wave, greeting, welcome | 970
Hi, happy face | smiling-face-with-open-mouth > winking-face | jump | HI! | 240 lemon dots | hi, hello, hey, happy, smile, greeting | 940
Hey, raising a hand | person-raising-hand | jump + lines | HEY! | 200 clear | hey, hi, hello, hand up, me, question, raise hand | 860
Bye bye, waving | waving-hand | swing + rise:sparkles | BYE! | 240 rose spot | bye, goodbye, see you, wave, farewell, ciao | 960
See you later, alligator | crocodile | walk | SEE YA LATER | 320x200 grass stripes | bye, see you later, goodbye, alligator, crocodile, later | 880
Welcome party | party-popper | tada + confetti | WELCOME! | 320x240 lilac rays | welcome, hello, party, greeting, new here, join | 930
Peeking hello | cat-face | peek | | 200 mint dots | hello, peek, hi, cat, hiding, shy, peekaboo | 850
Salute | saluting-face | nod | AYE AYE! | 220 royal rays | salute, yes sir, respect, aye aye, captain, hello | 840
Nice to meet you, handshake | handshake | nod + lines | DEAL! | 220 peach rings | handshake, deal, agree, nice to meet you, partners, hello | 860
# Thanks, please, sorry
Thank you, folded hands | folded-hands | pulse + sparkle | THANK YOU | 256 rose rays | thank you, thanks, grateful, ty, folded hands, gratitude | 980
Thanks a lot, bouquet | bouquet | swing + rise:red-heart | THANKS! | 240 mint spot | thanks, thank you, flowers, bouquet, grateful, ty, thx | 950
Many thanks, bowing | person-bowing | nod | ARIGATO | 200 clear | thanks, thank you, bow, sorry, respect, arigato | 830
Please, big eyes | pleading-face | tremble + sparkle | PLEASE | 240 lilac spot | please, pls, begging, puppy eyes, pleading, cute | 960
Pretty please | folded-hands | tremble | PRETTY / PLEASE | 240 rose stripes | please, begging, pretty please, hope, pray, pls | 880
Sorry, sad face | pensive-face | sway | SORRY | 240 sky spot | sorry, apology, my bad, sad, forgive me, regret | 960
Oops, my bad | grimacing-face | shake | OOPS! | 240 peach dots | oops, sorry, my bad, mistake, awkward, grimace | 890
You are welcome | smiling-face-with-open-hands | jelly | ANYTIME! | 220 mint rings | you are welcome, anytime, hug, no problem, my pleasure, np | 820
Congratulations | clapping-hands | clap + confetti | CONGRATS! | 320x240 sun rays | congratulations, congrats, well done, applause, celebrate, bravo | 950
Good luck, crossed fingers | crossed-fingers | wobble + sparkle | GOOD LUCK | 240 grass rays | good luck, fingers crossed, hope, luck, wish | 890
Happy weekend | cocktail-glass | sway + confetti | WEEKEND! | 220 pink rays | weekend, friday, party, drinks, happy, cheers | 820
It is Friday | man-dancing | dance + confetti | FRIDAY! | 220 grape rings | friday, weekend, dance, party, happy, tgif | 850
Get well soon | face-with-thermometer | sway + rise:red-heart | GET WELL | 220 mint spot | get well soon, sick, ill, fever, sorry, health | 790
Merry Christmas tree | christmas-tree | jelly + snow | MERRY XMAS | 220 red spot | christmas, merry christmas, xmas, tree, holidays, winter | 800
Have a nice day | sunflower | spin + sparkle | NICE DAY! | 220 sky spot | have a nice day, flower, sunflower, happy, good day | 800
Happy new year | fireworks | pulse + confetti | HAPPY / NEW YEAR | 220 night plain | happy new year, new year, fireworks, party, celebrate | 820
`;
