/** Thrown where what a write had read has changed before its turn came: it is to be run again, in that turn. */
export class ReadsOutdated extends Error {
  constructor() {
    super('What was read is not as it was')
    this.name = 'ReadsOutdated'
  }
}
