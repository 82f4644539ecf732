export { singleFlight } from './single-flight.ts';
