/** Food and drink. The columns are explained in entry.ts. */
export const food = `
Coffee time | hot-beverage | breathe + steam | COFFEE | 256 sand rays | coffee, cup, drink, morning, caffeine, break, espresso | 1000
Coffee break | hot-beverage | swing + steam | | 200 clear | coffee, coffee break, cup, drink, caffeine, tea | 980
But first, coffee | hot-beverage | zoom + steam | BUT FIRST / COFFEE | 256 cocoa rings | coffee, but first coffee, morning, need coffee, wake up | 960
Coffee rain | smiling-face-with-heart-eyes | bounce + rain:hot-beverage | | 240 peach spot | coffee, love coffee, caffeine, rain, happy | 900
Tea time | teacup-without-handle | breathe + steam | TEA? | 220 mint spot | tea, green tea, drink, relax, cup | 850
Cheers, beer mugs | clinking-beer-mugs | clap + burst:bubble:#ffe27a | CHEERS! | 256 sun rays | cheers, beer, drinks, toast, party, prost | 990
Cheers, champagne glasses | clinking-glasses | clap + sparkle | CHEERS | 240 grape rays | cheers, champagne, toast, celebrate, party, wine | 950
Beer o'clock | beer-mug | swing + rise:bubble:#ffe27a | BEER? | 240 orange spot | beer, drink, friday, pub, cheers | 880
Popping a bottle | bottle-with-popping-cork | tada + confetti | | 240 royal rays | champagne, celebrate, cheers, party, new year, pop | 880
Wine time | wine-glass | swing | | 160 clear | wine, red wine, drink, relax, cheers | 830
Hungry, yum | face-savoring-food | nod + rain:hamburger | YUM! | 240 lemon spot | hungry, yum, food, delicious, tasty, eat | 980
Hungry, drooling | drooling-face | sway + orbit:pizza | HUNGRY | 240 peach rays | hungry, drool, food, yummy, pizza, want | 990
Food time, plate | fork-and-knife-with-plate | bounce | FOOD! | 240 mint dots | food, eat, dinner, lunch, hungry, meal | 980
Pizza time | pizza | swing + sparkle | PIZZA! | 240 red rays | pizza, food, hungry, slice, dinner, italian | 950
Burger bounce | hamburger | bounce | | 200 clear | burger, hamburger, food, hungry, lunch, fast food | 900
Taco Tuesday | taco | wobble + confetti | TACO TIME | 220 orange rays | taco, tacos, food, mexican, tuesday | 860
Sushi | sushi | bounce | | 160 clear | sushi, food, japanese, fish, dinner | 800
Hot ramen | steaming-bowl | breathe + steam | RAMEN | 220 red rings | ramen, noodles, soup, food, hot, japanese | 820
Banana dance | banana | dance | | 200 sun dots | banana, dance, fruit, food, dancing | 820
Apple a day | red-apple | bounce | | 160 clear | apple, fruit, healthy, food, doctor, teacher | 730
Hot pepper | hot-pepper | tremble + rise:fire | SPICY! | 220 red rays | spicy, hot, pepper, chili, fire, food | 830
Ice cream | soft-ice-cream | swing | | 200 rose dots | ice cream, dessert, sweet, summer, cold | 830
Cookie for you | cookie | tada | HAVE A COOKIE | 220 sand dots | cookie, sweet, snack, reward, biscuit | 810
Popcorn pops | popcorn | jelly + burst:popcorn | | 240 red stripes | popcorn, movie, snack, cinema, drama | 870
`;
