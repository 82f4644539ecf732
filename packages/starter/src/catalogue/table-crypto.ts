/** Bitcoin, zaps and Nostr. The columns are explained in entry.ts. */
export const crypto = `
# Zap
Zap, lightning bolt | high-voltage | tremble + lightning | ZAP! | 256 grape rays | zap, zaps, lightning, bolt, sats, nostr, electric | 1000
Zap coin | zap | flip + sparkle | | 200 clear | zap, coin, lightning, sats, tip, nostr, bitcoin | 980
Zapped, thank you | high-voltage | stomp + lines | THANKS FOR / THE ZAP | 256 night rays | zap, thanks, thank you, sats, lightning, tip | 960
Zap me | high-voltage | pulse + ripple | ZAP ME | 240 royal spot | zap, zap me, lightning, sats, tip, nostr | 930
Rain of zaps | smiling-face-with-sunglasses | bounce + rain:high-voltage | | 240 grape spot | zap, zaps, rain, lightning, sats, rich | 920
Lightning strikes | cloud-with-lightning | tremble + lightning | ZAP | 240 ink plain | lightning, zap, thunder, storm, electric, bolt | 900
Fast as lightning | high-voltage | soar + speed | | 200 clear | lightning, fast, zap, bolt, energy, power | 860
# Bitcoin
Bitcoin coin turning | bitcoin | flip + sparkle | | 240 clear | bitcoin, btc, coin, crypto, money, sats | 1000
Bitcoin, bouncing coin | bitcoin | bounce | BITCOIN | 256 night rays | bitcoin, btc, coin, crypto, money, number go up | 980
Bitcoin rain | money-mouth-face | bounce + rain:bitcoin | | 240 royal spot | bitcoin, btc, rain, money, rich, sats | 950
Bitcoin toss | bitcoin | toss | BUY? | 200 clear | bitcoin, coin flip, toss, btc, decide, heads or tails | 860
Bitcoin love | bitcoin | heartbeat + rise:orange-heart | | 240 orange rays | bitcoin, love, orange, btc, heart | 880
Laser eyes | smiling-face-with-sunglasses | tremble + laser | LASER EYES | 240 ink rays | laser eyes, bitcoin, btc, bull, power, 100k | 910
Laser eyes cat | cat-face | tremble + laser | PEW PEW | 240 night rays | laser eyes, cat, pew pew, bitcoin, power | 880
Stack sats | satoshi | jump + rain:satoshi | STACK SATS | 240 orange rays | stack sats, sats, bitcoin, stacking, save, satoshi | 940
Stay humble, stack sats | folded-hands | breathe + rain:satoshi | STAY HUMBLE | 240 night rays | stay humble, stack sats, sats, bitcoin, gratitude | 900
HODL | gem-stone | stomp + sparkle | HODL | 240 sea rays | hodl, diamond hands, hold, bitcoin, gem, strong | 930
Diamond hands | raising-hands | tremble + badge:gem-stone | DIAMOND / HANDS | 240 sky rays | diamond hands, hodl, hold, bitcoin, strong | 890
Buy the dip | chart-decreasing | jelly + rain:bitcoin | BUY THE DIP | 240 grass spot | buy the dip, dip, bitcoin, chart, sale | 900
Number go up | chart-increasing | soar + rise:bitcoin | NUMBER GO UP | 240 mint rays | number go up, ngu, bitcoin, pump, chart, bull market | 900
To the moon | rocket | launch + exhaust + stars | TO THE MOON | 256 night plain | to the moon, rocket, bitcoin, moon, launch, pump | 960
When moon | full-moon-face | zoom + stars | WHEN MOON? | 240 night plain | when moon, moon, bitcoin, soon, price, waiting | 870
Bull market | ox | stomp + lines | BULL RUN | 240 grass rays | bull market, bull run, bull, bitcoin, pump, up | 880
Bear market | bear | sway + shower | BEAR MARKET | 220 ink plain | bear market, bear, bitcoin, down, crash | 840
WAGMI | people-holding-hands | dance + confetti | WAGMI | 240 teal rays | wagmi, we are all gonna make it, hope, together, bitcoin | 910
NGMI | skull | shake | NGMI | 240 ink rays | ngmi, not gonna make it, dead, skull, fail | 880
Few understand | face-with-monocle | nod | FEW | 240 night spot | few, few understand, smart, bitcoin, secret | 870
Probably nothing | upside-down-face | float | PROBABLY / NOTHING | 220 lilac spot | probably nothing, sarcasm, bullish, news, hint | 840
Have fun staying poor | winking-face-with-tongue | laugh | HAVE FUN / STAYING POOR | 220 orange stripes | have fun staying poor, hfsp, bitcoin, joke, troll | 800
Fix the money | money-with-wings | soar + speed | FIX THE MONEY | 220 mint waves | fix the money, inflation, money, fiat, bitcoin | 830
Money printer | printer | tremble + rain:dollar-banknote | BRRRR | 240 grass rays | money printer, brrr, inflation, fiat, print, dollar | 880
Cash rain | money-bag | bounce + rain:dollar-banknote | MONEY! | 240 mint rays | money, cash, rich, dollar, make it rain, pay day | 960
Money flies away | money-with-wings | soar | | 200 clear | money, spending, broke, cash, flying money | 890
Orange pill | orange-pill | swing + sparkle | ORANGE PILL | 220 night rays | orange pill, bitcoin, pill, red pill, learn | 850
Block found | brick | stomp + lines | BLOCK! | 220 cocoa rays | block, mining, bitcoin, blockchain, tick tock next block | 820
Mining | pick | swing + lines | MINING | 220 cocoa stripes | mining, miner, bitcoin, pickaxe, work, hashrate | 840
Honey badger | badger | walk | DON'T CARE | 320x200 sand floor | honey badger, bitcoin, do not care, badger | 820
Rabbit hole | rabbit | peek | FOLLOW ME | 220 ink rings | rabbit hole, down the rabbit hole, bitcoin, learn, follow | 830
# Let's go
LFG rocket | rocket | launch + exhaust | LFG! | 256 grape rays | lfg, let's go, rocket, launch, hype, moon | 1000
LFG, pumped up | flexed-biceps | stomp + lines | LFG! | 240 royal rays | lfg, let's go, hype, strong, pumped, energy | 980
LFG fire | fire | tremble + rise:fire | LFG | 240 ink rays | lfg, let's go, fire, hype, lit | 960
Let's go, charging | ox | drive + speed | LET'S GO! | 320x200 orange stripes | let's go, lfg, charge, bull, run, hype | 940
Let's go party | partying-face | jump + confetti | LET'S GO! | 240 sky rays | lfg, let's go, party, hype, excited, woo | 950
# Nostr
Nostr ostrich | ostrich | dance + rise:purple-heart | NOSTR | 256 lilac rays | nostr, ostrich, purple, notes, decentralised | 970
Purple heart | purple-heart | heartbeat + rise:purple-heart | | 200 clear | purple heart, nostr, love, heart, purple | 930
Purple pilled | purple-pill | spin | PURPLE PILL | 220 lilac rings | purple pill, nostr, pill, join, freedom | 860
Note this | memo | nod + sparkle | NOTED! | 220 lilac spot | note, noted, nostr, write, memo, remember | 840
Broadcast it | satellite-antenna | wobble + ripple | BROADCAST | 220 grape rings | nostr, relay, broadcast, note, signal, share | 830
Plebs together | raised-fist | stomp + lines | PLEBS! | 220 royal rays | plebs, together, power, nostr, bitcoin, freedom | 840
Freedom bird | dove | soar + sparkle | FREEDOM | 220 sky rays | freedom, peace, dove, free speech, nostr, bird | 860
Repost it | repeat-button | pulse | REPOST | 160 clear | repost, boost, share, repeat, retweet, nostr | 800
`;
