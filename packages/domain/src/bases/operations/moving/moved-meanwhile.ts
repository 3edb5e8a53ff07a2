import { DomainError } from '../../../errors.ts'

/** What refuses a call that found a base in one space, and finds it in another one once it holds the first. */
export function movedMeanwhile(): DomainError {
  return new DomainError('conflict', 'The base was moved at the same time: try again')
}
