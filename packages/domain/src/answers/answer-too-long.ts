/** The answer is longer than the call allowed; nothing is wrong with the call, which may be made again with more. */
export class AnswerTooLong extends Error {
  constructor() {
    super('The answer is longer than the call allowed')
    this.name = 'AnswerTooLong'
  }
}
