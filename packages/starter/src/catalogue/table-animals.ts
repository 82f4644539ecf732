/** Animals. The columns are explained in entry.ts. */
export const animals = `
Happy cat | grinning-cat | jump | | 200 clear | cat, kitty, happy, smile, pet, kitten | 990
Cat loaf says meow | cat | breathe + rise:red-heart | MEOW | 240 peach spot | cat, meow, kitty, pet, kitten, cute | 970
Cat face wobble | cat-face | wobble | | 200 clear | cat, kitty, kitten, pet, cute | 940
Cat in love | smiling-cat-with-heart-eyes | pulse + rise:red-heart | | 240 rose dots | cat, love, heart eyes, kitty, cute | 900
Black cat walking | black-cat | walk + stars | | 320x200 night plain | black cat, cat, walk, night, halloween, luck | 850
Shocked cat | weary-cat | zoom + lines | WHAT? | 240 sea rays | cat, shocked, surprised, scream, funny, omg | 870
Party cat | cat-with-wry-smile | party + confetti | | 240 grape dots | cat, party, dance, rainbow, disco | 880
Happy dog | dog-face | jump + rise:red-heart | WOOF! | 240 sky rays | dog, puppy, woof, pet, happy, doggo | 990
Dog walk | dog | walk | | 320x200 grass floor | dog, walk, puppy, pet, walkies, doggo | 940
Good boy | dog-face | nod + badge:bone | GOOD BOY | 240 peach spot | dog, good boy, puppy, pet, bone | 900
Hatching chick | egg > hatching-chick > hatching-chick > front-facing-baby-chick | jelly | | 200 clear | chick, egg, hatch, baby, easter, born, cute | 830
Duck waddle | duck | walk | QUACK | 320x200 sea waves | duck, quack, waddle, bird, walk | 850
Penguin waddle | penguin | wobble + snow | | 240 sea spot | penguin, waddle, cold, snow, cute, winter | 880
Ostrich run | ostrich | walk + speed | RUN! | 320x240 sand floor | ostrich, nostr, run, running, bird, fast | 930
Ostrich says GM | ostrich | nod | GM NOSTR | 240 lilac rays | ostrich, nostr, gm, good morning, bird, purple | 940
Unicorn magic | unicorn | party + burst | MAGIC | 240 pink rays | unicorn, magic, rainbow, fantasy, special | 870
Dancing bear | bear | dance + confetti | | 220 cocoa rays | bear, dance, dancing, cute, bear market | 820
Panda roll | panda | roll | | 220 grass spot | panda, roll, cute, bear, rolling | 860
Koala nap | koala | breathe + zzz | | 200 mint spot | koala, sleep, nap, lazy, cute, tired | 800
Monkey business | monkey-face | bounce + rise:banana | | 220 lemon dots | monkey, banana, silly, funny, ape | 840
Fox trot | fox | dance | | 200 clear | fox, cute, clever, sly, animal | 820
Wolf howl | wolf | nod + stars | AWOO! | 220 night plain | wolf, howl, night, moon, awoo, wild | 800
Lion roar | lion | zoom + lines | ROAR! | 220 sun rays | lion, roar, king, strong, brave, wild | 840
Tiger pounce | tiger-face | zoom | RAWR | 220 orange stripes | tiger, rawr, wild, fierce, cat | 820
Goat, greatest of all time | goat | stomp + sparkle | G.O.A.T. | 220 royal rays | goat, greatest of all time, best, champion, legend | 850
Horse gallop | horse | drive + speed | | 320x200 grass floor | horse, run, gallop, race, fast, riding | 800
Bunny hop | rabbit | jump | | 200 clear | bunny, rabbit, hop, cute, easter | 820
Frog, feels good | frog | breathe | FEELS GOOD | 220 mint rings | frog, feels good, pepe, ribbit, green | 840
Turtle takes its time | turtle | walk | SLOWLY... | 320x200 sand waves | turtle, slow, take your time, waiting, patience | 820
Crab rave | crab | dance + rise:musical-note | | 240 sea dots | crab, crab rave, dance, party, music, beach | 870
Dolphin jump | dolphin | soar + rise:droplet | | 220 sky waves | dolphin, jump, sea, ocean, happy | 780
Shark attack | shark | drive | DUN DUN... | 320x200 sea waves | shark, jaws, attack, sea, danger, scary | 790
Busy bee | honeybee | soar + rise:blossom | BUSY BEE | 220 lemon dots | bee, busy, honey, work, spring, buzz | 800
T-rex stomps | t-rex | stomp | RAWR! | 220 mint floor | dinosaur, t-rex, rawr, stomp, dino | 820
Raccoon bandit | raccoon | peek | | 200 night spot | raccoon, trash panda, sneaky, peek, thief | 790
`;
