/**
 * Stands for a value in a statement that is kept and run with many values. Whoever runs it binds a value for
 * each place, in the order in which they first stand in its text.
 */
export class Place {}
