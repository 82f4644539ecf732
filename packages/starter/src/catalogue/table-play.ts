/** Parties, music, dancing, sports and games. The columns are explained in entry.ts. */
export const play = `
# Party
Happy birthday cake | birthday-cake | bounce + confetti | HAPPY / BIRTHDAY | 256 pink rays | happy birthday, birthday, cake, party, celebrate, bday | 1000
Birthday candles | birthday-cake | jelly + sparkle | | 200 clear | birthday, cake, candles, happy birthday, party, wish | 950
Party popper | party-popper | tada + confetti | | 240 grape rays | party, celebrate, confetti, tada, congratulations, hooray | 980
Party time | mirror-ball | party + stars | PARTY! | 240 ink rays | party, disco, dance, club, night, celebrate | 950
Balloons | balloon | float + rise:balloon | | 200 clear | balloon, party, birthday, celebrate, float | 850
Confetti ball | confetti-ball | swing + confetti | YAY! | 240 sky spot | yay, party, confetti, celebrate, hooray | 870
A gift for you | wrapped-gift | tada + burst | FOR YOU! | 240 teal rays | gift, present, birthday, for you, surprise, christmas | 880
Fireworks night | fireworks | breathe + fireworks | | 320x240 night plain | fireworks, celebrate, new year, party, night | 840
Fireworks show | sparkler | swing + fireworks | WOOHOO! | 220 night plain | fireworks, woohoo, celebrate, party, yay, sparkler | 830
Crown for the king | crown | float + sparkle | KING | 240 royal rays | king, crown, queen, royal, boss, winner | 880
Queen | princess | sway + sparkle | QUEEN | 220 pink rays | queen, princess, slay, royal, crown | 830
Magic wand | magic-wand | swing + burst | TADA! | 220 grape spot | magic, tada, wand, abracadabra, wizard | 800
Wizard | mage | float + orbit | YOU SHALL / NOT PASS | 220 night rays | wizard, magic, mage, gandalf, spell | 800
# Dance and music
Disco dancer | man-dancing | dance + confetti | DANCE! | 256 grape dots | dance, dancing, disco, party, groove, moves | 1000
Salsa dancer | woman-dancing | sway + rise:musical-note | | 240 red rays | dance, dancing, salsa, woman, party, music | 980
Dancing twins | people-with-bunny-ears | jump | LET'S DANCE | 240 pink stripes | dance, dancing, party, friends, girls, fun | 930
Happy feet | smiling-face-with-sunglasses | dance + rise:musical-note | | 240 teal rays | dance, music, cool, groove, happy | 880
Music notes | musical-notes | wobble + rise:musical-note | | 200 sky spot | music, notes, song, sing, melody, tune | 980
Music on, headphones | headphone | jelly + ripple | MUSIC ON | 240 grape rings | music, headphones, listen, song, vibe, dj | 960
Listening to music | cat-face | nod + rise:musical-notes | | 240 lilac dots | music, listening, cat, vibe, song, nod | 900
Guitar solo | guitar | swing + lightning | ROCK! | 240 ink rays | guitar, rock, music, solo, band, metal | 900
Drum roll | drum | tremble + lines | DRUM ROLL | 220 red stripes | drum, drum roll, music, suspense, band | 830
Singer | microphone | wobble + rise:musical-note | SING! | 220 pink rays | sing, singing, karaoke, microphone, music, song | 850
# Sports
Run, running fast | person-running | drive + speed | RUN! | 320x200 sky floor | run, running, fast, hurry, race, jog | 1000
Running away | man-running | drive + speed | BYE! | 320x200 orange stripes | run, running away, escape, bye, hurry, late | 930
Running shoe | running-shoe | bounce + speed | | 200 clear | run, running, shoe, sport, jog, marathon | 850
Weight lifting | person-lifting-weights | pulse + lines | LIFT! | 240 orange rays | gym, workout, lift, weights, strong, exercise | 880
Football goal | soccer-ball | bounce | GOAL! | 240 grass stripes | football, soccer, goal, ball, sport, world cup | 920
Basketball | basketball | bounce | | 200 clear | basketball, ball, sport, dribble, nba | 870
American football | american-football | toss | TOUCHDOWN | 220 grass rays | american football, touchdown, sport, super bowl | 790
Volleyball | volleyball | toss | | 160 clear | volleyball, ball, beach, sport | 700
Boxing glove punch | boxing-glove | zoom + lines | POW! | 220 red rays | punch, boxing, fight, pow, hit | 850
Bullseye | bullseye | pulse + ripple | BULLSEYE | 220 sky spot | bullseye, target, on point, aim, exactly, darts | 840
Surfing the wave | person-surfing | float | SURF'S UP | 220 sea waves | surf, surfing, wave, beach, summer, ocean | 830
Dice roll | game-die | toss | ROLL IT! | 220 teal rays | dice, roll, game, luck, random, gamble | 800
Jackpot | slot-machine | tremble + rain:coin | JACKPOT! | 220 red rays | jackpot, slot machine, win, casino, money, lucky | 820
Gamer | video-game | tremble + lines | GAME ON | 220 grape rays | gaming, gamer, video game, play, controller | 850
Camera flash | camera-with-flash | pulse + lines | SAY CHEESE | 220 pink spot | photo, camera, say cheese, picture, selfie | 820
`;
