import { DomainError } from '../../errors.ts'

/** Why a command can't be undone or redone: what it left isn't as it was. */
export function movedOn(what: string): DomainError {
  return new DomainError('conflict', `${what} was changed since: nothing is undone or redone`)
}
