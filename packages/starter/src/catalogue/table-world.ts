/** Weather, nature, travel, work and things. The columns are explained in entry.ts. */
export const world = `
# Weather and nature
Sun | sun | spin | | 200 clear | sun, sunny, summer, hot, weather, sunshine | 990
Sunny day | sun-with-face | bounce | SUNNY! | 240 sky rays | sun, sunny, sunshine, summer, weather, warm | 950
Rain cloud | cloud-with-rain | drift + shower | RAIN | 240 royal plain | rain, rainy, cloud, weather, wet, storm | 980
Umbrella in the rain | umbrella-with-rain-drops | sway + shower | | 240 sky plain | rain, umbrella, rainy, weather, wet | 950
Rainbow | rainbow | float + sparkle | | 240 sky spot | rainbow, hope, colours, pride, after the rain | 880
Thunderstorm | cloud-with-lightning-and-rain | tremble + shower + lightning | | 220 ink plain | storm, thunder, lightning, rain, weather | 850
Snowman | snowman | wobble + snow | LET IT SNOW | 220 royal plain | snow, snowman, winter, cold, christmas | 850
Snowflake | snowflake | spin + snow | | 200 royal spot | snow, snowflake, winter, cold, ice, frozen | 840
Fire | fire | jelly + rise:fire | | 200 clear | fire, lit, hot, flame, burn | 1000
So lit, fire | fire | jelly + rise:fire | LIT! | 240 ink rays | fire, lit, hot, awesome, flame, burning | 970
That is fire | smiling-face-with-sunglasses | dance + rise:fire | FIRE! | 240 red rays | fire, lit, hot, cool, awesome, flames | 950
Rain of fire | fire | tremble + rain:fire | | 240 ink spot | fire, hot, flames, burn, burn it down | 900
Earth spins | globe-showing-americas > globe-showing-europe-africa > globe-showing-asia-australia | float + stars | | 200 night plain | earth, world, globe, planet, spin, global | 830
Star twinkle | star | pulse + sparkle | | 160 clear | star, favourite, gold, twinkle, night | 820
Sparkles | sparkles | pulse | | 160 clear | sparkles, magic, shiny, new, clean, stars | 830
Alien visit | alien | float + stars | TAKE ME / TO YOUR LEADER | 220 night rays | alien, ufo, space, extraterrestrial | 800
# Travel
Rocket flight | rocket | soar + exhaust | | 200 clear | rocket, launch, space, ship it, fast, moon | 930
Airplane trip | airplane | soar + speed | VACATION! | 240 sky waves | vacation, travel, airplane, holiday, flight, trip, plane | 870
Road trip | automobile | drive + speed | ROAD TRIP | 320x200 sky floor | car, road trip, drive, travel, vroom | 840
Racing car | racing-car | drive + speed | VROOM! | 320x200 grass floor | race, racing, car, fast, vroom, formula 1 | 830
Siren | police-car-light | tremble + lines | ALERT! | 220 ink rays | alert, siren, emergency, alarm, breaking news | 840
# Work and things
Work, typing away | technologist | tremble | AT WORK | 256 teal spot | work, working, computer, coding, busy, job | 990
Work hard, laptop | laptop | tremble + lines | BUSY | 240 sky spot | work, computer, laptop, busy, coding, office | 950
Ship it | package | drive + speed | SHIP IT! | 320x200 sand stripes | ship it, work, package, delivery, release, deploy | 870
Debugging | bug | walk | IT'S A BUG | 320x200 mint dots | bug, debug, code, developer, work, software | 820
Loading, please wait | counterclockwise-arrows-button | spin | LOADING... | 220 royal spot | loading, wait, refresh, update, sync | 800
Build it, hammer | hammer | swing + lines | BUILD! | 220 orange rays | build, hammer, work, construction, builder | 820
Deadline | alarm-clock | tremble | DEADLINE! | 220 red rays | deadline, work, late, hurry, time, clock | 830
New message | incoming-envelope | bounce + speed | | 200 clear | message, mail, email, letter, dm, inbox | 790
Announcement | megaphone | wobble + lines | LISTEN! | 220 lemon rays | announcement, megaphone, loud, listen, news | 810
Graph goes up | chart-increasing | soar | STONKS | 240 grass spot | stonks, up, chart, growth, profit, bull market | 900
Graph goes down | chart-decreasing | tremble | OUCH | 220 red spot | down, chart, crash, loss, bear market, dip | 860
Graduate | graduation-cap | toss + confetti | GRADUATED! | 220 royal rays | graduation, school, congratulations, university, done | 800
Key | key | swing + sparkle | NOT YOUR / KEYS | 220 sun rays | key, not your keys, bitcoin, private key, unlock, nsec | 840
Magnifier, searching | magnifying-glass-tilted-left | spiral | SEARCHING | 220 sky dots | search, looking, find, where, magnifying glass | 790
Piggy nails, slay | nail-polish | swing + sparkle | SLAY | 220 pink rays | slay, nails, sassy, fabulous, beauty | 820
Ninja | ninja | shake + speed | | 200 ink spot | ninja, sneaky, stealth, fast, fight | 790
Superhero | superhero | soar + speed | TO THE RESCUE | 220 royal rays | superhero, hero, rescue, save, help, super | 820
Detective | detective | peek | CASE CLOSED | 220 sand spot | detective, investigate, spy, mystery, clue | 760
Poop | pile-of-poo | jelly | | 160 clear | poop, crap, shit, funny, oops | 840
Moai stone face | moai | zoom | BRUH | 220 sand rays | bruh, moai, stone face, serious, statue | 860
`;
