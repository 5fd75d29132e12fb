type ErrorsOf<M> = M extends { errors: infer Errors } ? Errors : never;
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The errors of some modules, as the type of one table. */
export type ErrorsOfAll<Modules extends readonly unknown[]> = Together<ErrorsOf<Modules[number]>>;

type EventsOf<M> = M extends { events: infer Events } ? Events : never;

/** The events of some modules, as the type of one table. */
export type EventsOfAll<Modules extends readonly unknown[]> = Together<EventsOf<Modules[number]>>;
