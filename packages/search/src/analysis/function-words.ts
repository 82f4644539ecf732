/**
 * English function words. They have little weight in a query, and no completed phrase starts or ends with one ("in the
 * car" is a fragment, "dance in the rain" is not). Other languages have no list: few of their phrases are frequent
 * enough to become terms, and the lists would contradict each other (German "die", French "on").
 */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about above across after against all along also although am among an and another any are around as at back be
  because been before behind being below beside between both but by can cant could couldnt did didnt do does doesnt
  doing dont down during each either etc even ever every few for from get gets getting go goes going gonna got had
  hadnt has hasnt have havent having he her here hers herself hes him himself his how i id if ill im in inside into is
  isnt it its itself ive just lets like made make makes many may me might mine more most much must my myself near no
  nor not now of off on onto or other our ours out outside over own per put puts quite rather really s same she shes
  should shouldnt so some still such t take takes than that thats the their theirs them then there theres these they
  theyre this those through thru to too toward towards under until up upon us use using very via was wasnt we well
  were werent weve what whats when where which while who whos whose why will with within without wont would wouldnt
  yet you your youre yours youve`.split(/\s+/),
);
