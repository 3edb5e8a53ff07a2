/**
 * A placeholder for a value in a statement that is kept and run with many values. Running it binds a value for each
 * place, in the order in which the places first occur in its text.
 */
export class Place {}
