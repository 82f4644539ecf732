/** Reactions: yes, no, laughing, amazement, applause, facepalms. The columns are explained in entry.ts. */
export const reactions = `
# Yes and no
Yes, happy nod | smiling-face-with-smiling-eyes | nod | YES! | 240 mint rings | yes, yep, yeah, agree, nod, sure, of course | 1000
Yes, fist pump | raised-fist | stomp + lines | YES! | 240 sun rays | yes, victory, win, fist, power, success | 950
Yes, big check mark | check-mark-button | tada + sparkle | | 200 clear | yes, check, done, correct, ok, right, approved | 920
Yes, head nodding | head-shaking-vertically | nod | YEP | 200 clear | yes, yep, nodding, agree, head, uh huh | 880
No, shaking head | neutral-face | shake | NO | 240 red rays | no, nope, shake head, refuse, disagree, never | 1000
Nope, crossed arms | woman-gesturing-no | shake | NOPE | 240 rose stripes | no, nope, refuse, stop, not today, denied | 960
No way cross | cross-mark | stomp | NO! | 200 clear | no, wrong, cross, never, false, denied, x | 920
Nah, wagging finger | index-pointing-up | swing | NAH | 220 peach dots | no, nah, finger, no no no, wait, nope | 850
Maybe, so so | woozy-face | wobble | MAYBE... | 220 lilac waves | maybe, not sure, so so, hmm, perhaps, dizzy | 820
OK hand | ok-hand | bounce | OK! | 240 mint rays | ok, okay, perfect, good, fine, got it | 970
OK, person says it | person-gesturing-ok | sway | OKAY! | 220 sky spot | ok, okay, yes, sure, fine, agree | 860
Thumbs up | thumbs-up | bounce + sparkle | | 200 clear | thumbs up, yes, like, good, great, ok, nice | 980
Thumbs up, great job | thumbs-up | tada + lines | GREAT! | 240 sky rays | thumbs up, great, good job, like, well done, nice | 940
Thumbs down | thumbs-down | stomp | | 200 clear | thumbs down, no, dislike, bad, boo | 920
Thumbs down, booing | thumbs-down | shake | BOO! | 220 ink stripes | boo, thumbs down, dislike, bad, no | 830
Deal with it | smiling-face | nod + shades | DEAL WITH IT | 240 royal rays | deal with it, sunglasses, cool, shades, boss, swag | 930
Cool in sunglasses | smiling-face-with-sunglasses | swing + sparkle | COOL | 240 sea rays | cool, sunglasses, awesome, chill, nice, swag | 930
Perfect score | hundred-points | stomp + lines | | 200 clear | 100, hundred, perfect, agree, keep it real, score | 890
Chef's kiss | pinched-fingers | pulse + sparkle | PERFECT! | 220 lemon rays | chef's kiss, perfect, delicious, italian, excellent | 850
Whatever, eye roll | face-with-rolling-eyes | swing | WHATEVER | 240 lilac stripes | whatever, eye roll, annoyed, sarcasm, bored, duh | 870
Shrug, no idea | person-shrugging | jelly | DUNNO | 240 peach spot | shrug, dunno, no idea, whatever, who knows, idk | 900
I do not care | unamused-face | still | MEH | 200 clear | meh, do not care, bored, unamused, unimpressed | 840
# Laughing
LOL, tears of joy | face-with-tears-of-joy | laugh + tears | LOL | 240 lemon rays | lol, laugh, laughing, haha, funny, tears of joy, lmao | 1000
Rolling on the floor laughing | rolling-on-the-floor-laughing | roll | ROFL | 240 sky floor | lol, rofl, rolling, laugh, laughing, funny, haha, lmao | 980
Haha, big laugh | grinning-squinting-face | laugh + lines | HAHAHA | 240 orange rays | haha, laugh, laughing, lol, funny, xd | 960
Laughing cat | cat-with-tears-of-joy | laugh | LOL | 240 rose dots | lol, cat, laughing, funny, haha, laugh | 910
I am dead, skull laughing | skull | laugh + rise:face-with-tears-of-joy | DEAD | 240 ink spot | dead, lol, skull, laughing, i am dead, funny | 880
Giggle behind hand | face-with-hand-over-mouth | laugh | HEE HEE | 200 clear | giggle, oops, laugh, gossip, shy, hee hee | 820
Silly face | zany-face | wobble | SILLY! | 220 lemon stripes | silly, crazy, goofy, zany, funny, joke | 830
Just joking, tongue out | winking-face-with-tongue | jump | JK! | 220 pink dots | joking, just kidding, jk, tongue, wink, silly | 850
Clown | clown-face | bounce + confetti | HONK! | 220 sky stripes | clown, honk, fool, joke, circus, funny | 830
# Amazement
Wow, starry eyes | star-struck | zoom + burst | WOW | 256 grape rays | wow, amazing, star struck, awesome, impressed, omg | 1000
Wow, jaw drop | face-with-open-mouth | zoom + lines | WOW! | 240 sea rays | wow, surprised, jaw drop, oh, amazed, omg | 970
Mind blown | exploding-head | zoom + burst:fire | MIND BLOWN | 256 orange rays | mind blown, wow, exploding head, shocked, amazing, omg | 970
Oh my god | face-screaming-in-fear | tremble + lines | OMG! | 240 lilac rays | omg, oh my god, scream, shocked, surprised, scared | 950
Surprised face | astonished-face | zoom | | 200 clear | surprised, shocked, astonished, wow, gasp, oh | 930
What, confused | confused-face | wobble | WHAT? | 240 sand rings | what, confused, huh, puzzled, question, wtf | 890
Wait, what | flushed-face | zoom | WAIT, / WHAT? | 240 peach rays | wait what, surprised, confused, shocked, blush, huh | 880
All eyes on this | eyes | shake | LOOK! | 240 mint spot | eyes, look, see, watching, interesting, staring | 920
Watching with popcorn | popcorn | jump + rise:popcorn | DRAMA! | 240 red stripes | popcorn, drama, watching, movie, eating popcorn, this is good | 900
Interesting, monocle | face-with-monocle | nod | INTERESTING | 220 sand spot | interesting, monocle, hmm, curious, inspect, fancy | 820
Thinking it over | thinking-face | breathe + thinking | | 240 sky spot | think, thinking, hmm, wonder, idea, consider, ponder | 970
Hmm, thinking | thinking-face | swing + rise:red-question-mark | HMM... | 240 lemon rings | think, hmm, thinking, not sure, question, wonder | 930
I have an idea | light-bulb | pulse + lines | IDEA! | 240 night spot | idea, light bulb, eureka, think, smart, bright | 880
Brain at work | brain | pulse + lightning | BIG BRAIN | 220 pink rays | brain, smart, think, big brain, genius, clever | 830
Still waiting, hourglass | hourglass-done > hourglass-not-done | wobble | WAITING... | 220 sand spot | waiting, wait, loading, hourglass, time, slow, brb | 830
# Applause and praise
Applause | clapping-hands | clap + lines | | 240 clear | applause, clap, clapping, bravo, well done, congratulations | 1000
Bravo, applause | clapping-hands | clap + confetti | BRAVO! | 256 grape rays | applause, bravo, clap, clapping, well done, standing ovation | 980
Slow clap | clapping-hands | breathe | SLOW CLAP | 240 ink spot | applause, slow clap, sarcasm, clapping, clap | 870
Round of applause, hooray | raising-hands | jump + confetti | HOORAY! | 240 sky rays | applause, hooray, raising hands, praise, yay, celebrate | 930
Well done, trophy | trophy | tada + confetti | WELL DONE | 240 royal rays | well done, trophy, winner, win, champion, first place | 920
Gold medal | 1st-place-medal | swing + sparkle | NUMBER 1 | 220 red rays | gold medal, winner, first, number one, champion, win | 850
You rock | sign-of-the-horns | jump + lightning | YOU ROCK! | 240 ink rays | you rock, rock on, metal, horns, awesome, music | 870
Good job, star | glowing-star | spin + sparkle | GOOD JOB! | 240 sky dots | good job, star, well done, great, gold star, nice | 890
Respect, bow down | person-bowing | nod + sparkle | RESPECT | 220 sand rays | respect, bow, worship, honour, not worthy | 820
High five | rightwards-hand | meet + meets:leftwards-hand | HIGH FIVE! | 240 lemon rays | high five, teamwork, yes, friends, celebrate, hand | 890
Fist bump | right-facing-fist | meet + meets:left-facing-fist | BRO! | 240 teal rays | fist bump, bro, respect, friends, brofist, teamwork | 890
Strong arm | flexed-biceps | pulse + lines | STRONG! | 240 orange rays | strong, muscle, flex, gym, power, biceps | 890
Point up, this | backhand-index-pointing-up | bounce | THIS! | 200 clear | this, point up, agree, exactly, look up | 850
# Facepalm and trouble
Facepalm | weary-face | shake + slap:raised-back-of-hand | FACEPALM | 240 lilac stripes | facepalm, smh, fail, embarrassed, disappointed, oh no | 1000
Facepalm, person | person-facepalming | nod | | 240 clear | facepalm, smh, fail, oh no, embarrassed, ugh | 980
Woman facepalming | woman-facepalming | sway | SMH | 240 rose rings | facepalm, smh, disappointed, ugh, fail, really | 930
Man facepalming | man-facepalming | shake | UGH | 240 sea spot | facepalm, ugh, smh, fail, disappointed | 920
See, hear, speak no evil | see-no-evil-monkey > hear-no-evil-monkey > speak-no-evil-monkey | jelly | | 200 clear | monkey, see no evil, oops, secret, shy, not looking | 880
Hiding my eyes | face-with-peeking-eye | tremble | CAN'T LOOK | 220 peach spot | scared, hiding, peek, cannot look, awkward, embarrassed | 850
Awkward | grinning-face-with-sweat | sway + tears | AWKWARD | 220 sky rings | awkward, nervous, sweat, phew, embarrassed | 860
This is fine | upside-down-face | float + rise:fire | THIS IS FINE | 240 red waves | this is fine, fire, chaos, upside down, sarcasm, everything is ok | 900
Stop right there | stop-sign | stomp | STOP | 200 clear | stop, halt, no, wait, enough, hold on | 860
Stop hand | raised-hand | zoom | STOP! | 220 red rings | stop, hand, wait, halt, enough, no | 850
Warning | warning | blink | WATCH OUT | 220 ink stripes | warning, danger, careful, watch out, alert | 800
Secret, be quiet | shushing-face | nod | SHHH | 220 night spot | quiet, secret, shh, silence, hush | 850
Side eye | smirking-face | swing | SURE... | 220 grape spot | smirk, side eye, sure, sarcasm, suspicious, really | 840
Raised eyebrow | face-with-raised-eyebrow | nod | REALLY? | 240 peach rings | really, doubt, suspicious, sceptical, eyebrow, hmm, seriously | 870
Popped, bomb | bomb | tremble + burst:collision | BOOM! | 220 orange stripes | boom, bomb, explosion, explode, blast | 830
Mic drop | microphone | stomp + lines | MIC DROP | 220 ink rays | mic drop, done, boom, microphone, winner, burn | 840
Fail, banana peel | banana | roll | FAIL | 220 sky floor | fail, slip, banana, oops, epic fail | 790
Game over | video-game | stomp | GAME OVER | 220 ink spot | game over, gaming, lost, video game, play, the end, gg | 800
`;
