import { type DomainError, invalidAt } from '../errors.ts'

/** Why something doesn't come back under its own name. */
export function nameTaken(name: string): DomainError {
  const message = `can't come back as it was: the name "${name}" is taken now. Restored from the trash, it gets a number`
  return invalidAt([], message)
}
