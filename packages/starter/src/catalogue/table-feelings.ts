/** Feelings, moods, love. The columns are explained in entry.ts. */
export const feelings = `
# Happy
Happy, big smile | grinning-face-with-smiling-eyes | jump | HAPPY! | 240 lemon rays | happy, smile, joy, glad, cheerful, grin | 990
Happy dance | smiling-face-with-open-mouth | dance + confetti | YAY! | 240 sky dots | happy, dance, yay, joy, party, celebrate | 950
Smile | smiling-face | breathe | | 160 clear | smile, happy, content, warm, pleased | 880
Beaming | beaming-face-with-smiling-eyes | jelly + sparkle | | 200 clear | happy, grin, beaming, smile, proud, teeth | 860
Happy tears | face-holding-back-tears | tremble + rise:red-heart | | 200 clear | happy tears, touched, proud, moved, emotional, thank you | 830
Wink | slightly-smiling-face > slightly-smiling-face > slightly-smiling-face > winking-face | nod | | 200 clear | wink, winking, flirt, ;), joke, hint | 960
Winking with a spark | winking-face | swing + badge:sparkles | | 220 rose spot | wink, flirt, winking, hey, cute | 850
Relieved, phew | face-exhaling | breathe | PHEW | 220 mint spot | phew, relief, relieved, sigh, exhale | 820
Peace and calm | person-in-lotus-position | float + sparkle | OM | 220 lilac rings | meditation, calm, yoga, peace, relax, zen, chill | 840
Peace sign | victory-hand | wobble | PEACE | 220 sea rays | peace, victory, v, chill, two, hippie | 860
Excited, partying face | partying-face | party + confetti | PARTY! | 256 grape rays | party, excited, celebrate, birthday, happy, woo | 980
Angel | smiling-face-with-halo | float + rise:sparkles | | 200 clear | angel, innocent, halo, good, blessed, saint | 800
Little devil | smiling-face-with-horns | swing + rise:fire | | 220 grape spot | devil, evil, naughty, mischief, bad | 810
Nerd | nerd-face | nod | ACTUALLY... | 220 sky spot | nerd, geek, smart, glasses, actually, study | 830
Money face | money-mouth-face | bounce + rain:dollar-banknote | MONEY! | 240 grass rays | money, rich, cash, dollar, greedy, pay | 950
Cowboy | cowboy-hat-face | roll | YEEHAW! | 220 sand rays | cowboy, yeehaw, howdy, western, hat | 830
Robot dance | robot | shake + lines | BEEP BOOP | 220 teal dots | robot, dance, beep boop, ai, bot, machine | 840
Melting | melting-face | jelly | | 200 clear | melting, hot, embarrassed, heat, help, sarcasm | 810
# Sad
Sad face | disappointed-face | sway | | 200 clear | sad, unhappy, disappointed, down, sorry, blue | 960
So sad, tear | crying-face | sway + shower | SO SAD | 240 royal spot | sad, cry, crying, tear, unhappy, rain | 980
Crying a river | loudly-crying-face | tremble + tears | | 240 sky spot | cry, crying, sob, sad, tears, bawling | 990
Crying out loud | loudly-crying-face | laugh + tears | WHYYY | 240 lilac waves | cry, crying, sad, why, sob, noo | 930
Sad cat | crying-cat | sway | | 200 clear | sad, cat, cry, crying, tear, kitty | 860
Broken heart | broken-heart | heartbeat | | 200 clear | broken heart, heartbreak, sad, love, break up | 880
Missing you | pensive-face | float + rise:broken-heart | MISS YOU | 220 night spot | miss you, sad, lonely, love, far away | 840
Hug for a sad friend | people-hugging | breathe + rise:red-heart | THERE, THERE | 240 rose spot | hug, comfort, there there, sad, support, friend | 880
Rainy mood | cloud-with-rain | drift + shower | SAD DAY | 220 royal plain | rain, sad, rainy, cloud, weather, mood | 810
# Angry
Angry, red with rage | enraged-face | tremble + lines | ANGRY | 240 red rays | angry, mad, rage, furious, hate, red | 980
Angry puff of steam | face-with-steam-from-nose | shake + exhaust | HMPH! | 240 orange spot | angry, mad, steam, annoyed, hmph, furious | 930
Swearing | face-with-symbols-on-mouth | tremble | #%$&! | 240 ink rays | angry, swear, curse, mad, rage, bad words | 900
Grumpy | angry-face | stomp | GRRR | 200 clear | angry, grumpy, mad, grr, upset | 900
Grumpy cat | pouting-cat | swing | NO. | 220 sky stripes | grumpy cat, cat, no, angry, pout, annoyed | 860
# Scared and ill
Scared | fearful-face | tremble | SCARED | 240 ink spot | scared, afraid, fear, fearful, scary, nervous | 970
Scream | face-screaming-in-fear | zoom + lines | AAAH! | 240 night rays | scared, scream, horror, shocked, afraid, fear | 940
Boo, ghost | ghost | float + stars | BOO! | 240 night plain | ghost, boo, scared, scary, halloween, spooky | 900
Worried | anxious-face-with-sweat | tremble | OH NO | 240 sky rings | worried, nervous, anxious, oh no, stress, scared | 890
Cold, freezing | cold-face | tremble + snow | BRRR! | 240 sea spot | cold, freezing, winter, brr, ice, frozen, snow | 980
Hot, sweating | hot-face | sway + rise:fire | SO HOT | 240 orange rays | hot, heat, summer, sweating, warm, sun | 980
Sick | nauseated-face | sway | | 200 clear | sick, ill, nauseous, gross, green, yuck | 860
Yuck, vomiting | face-vomiting | shake | YUCK | 220 grass spot | yuck, sick, gross, vomit, disgusting, ew | 850
Dizzy | face-with-spiral-eyes | spiral + orbit:star:#ffe14d | | 220 lilac spot | dizzy, confused, hypnotised, drunk, stars, spin | 850
Stressed | persevering-face | tremble + lightning | STRESS | 220 ink rays | stress, stressed, pain, struggle, headache, overwhelmed | 850
# Tired and bored
Tired | tired-face | sway | SO TIRED | 240 lilac spot | tired, exhausted, sleepy, weary, done | 980
Sleepy yawn | yawning-face | breathe + zzz | YAWN | 240 sky spot | tired, yawn, sleepy, bored, sleep, zzz | 950
Sleep, zzz | sleeping-face | breathe + zzz | | 200 clear | sleep, sleeping, zzz, tired, asleep, night, snore | 960
Sleepy | sleepy-face | sway + zzz | | 200 lilac spot | sleepy, tired, sleep, zzz, nap, drowsy | 860
Need more sleep | face-with-bags-under-eyes | sway | NEED SLEEP | 220 ink spot | tired, sleep, exhausted, insomnia, need coffee, eye bags, monday | 860
Bored | expressionless-face | still | BORED | 220 snow spot | bored, boring, expressionless, blank, meh | 860
Low battery | low-battery | blink | LOW POWER | 220 ink spot | tired, low battery, exhausted, empty, energy | 800
# Love
Love, beating heart | red-heart | heartbeat + rise:red-heart | LOVE | 256 rose rays | love, heart, i love you, romance, red heart | 1000
Heart eyes | smiling-face-with-heart-eyes | pulse + rise:red-heart | | 240 rose spot | love, heart eyes, in love, crush, adore, wow | 980
Red heart | red-heart | heartbeat | | 200 clear | heart, love, red heart, like, beating | 990
I love you | smiling-face-with-hearts | float + rain:red-heart | I LOVE YOU | 256 pink dots | i love you, love, hearts, romance, valentine, ily | 970
Rain of hearts | two-hearts | pulse + rain:red-heart | | 240 pink rays | love, hearts, rain, romance, valentine | 900
Blowing a kiss | face-blowing-a-kiss | swing + rise:red-heart | MWAH! | 240 rose rings | kiss, blow a kiss, love, mwah, kisses, xoxo | 980
Kiss mark | kiss-mark | pulse + sparkle | | 200 clear | kiss, lips, lipstick, love, smooch | 900
Kissing cat | kissing-cat | jelly + rise:red-heart | | 200 clear | kiss, cat, love, kitty, smooch | 830
Hug | smiling-face-with-open-hands | jelly + rise:red-heart | HUG! | 240 peach rings | hug, hugs, embrace, love, comfort, friends | 980
Big hug for you | people-hugging | jelly | BIG HUG | 240 lilac rays | hug, hugs, big hug, friends, love, comfort | 940
Teddy bear hug | teddy-bear | swing + rise:red-heart | HUGS | 220 peach spot | teddy bear, hug, cute, love, toy, hugs | 850
Heart hands | heart-hands | pulse + sparkle | | 200 clear | love, heart hands, heart, thank you, support | 890
Finger heart | hand-with-index-finger-and-thumb-crossed | wobble + rise:red-heart | | 200 rose spot | finger heart, love, korean heart, cute, saranghae | 800
Cupid's arrow | heart-with-arrow | swing + sparkle | | 220 lilac rays | love, cupid, arrow, valentine, crush, heart | 830
Heart on fire | heart-on-fire | jelly + rise:fire | | 220 ink spot | heart, fire, passion, love, hot, burning | 850
Love letter | love-letter | float + rise:red-heart | | 200 clear | love letter, love, mail, valentine, note | 800
Will you marry me | ring | swing + sparkle | MARRY ME? | 220 rose rays | marry me, ring, wedding, engagement, proposal, love | 810
Best friends | woman-and-man-holding-hands | dance | BEST FRIENDS | 220 sky rays | best friends, friends, bff, friendship, together | 800
A rose for you | rose | sway + sparkle | FOR YOU | 220 ink spot | rose, flower, love, valentine, romance, for you | 850
Blushing | flushed-face | tremble + rise:red-heart | | 200 rose spot | blush, shy, crush, embarrassed, flushed, love | 810
`;
