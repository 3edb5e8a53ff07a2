import { DomainError } from './errors.ts'

/**
 * Refuses with `precondition_failed` unless each of the versions is one of those that the call asks for; what
 * has no version is none of them. Anything will do where the call asks for none.
 */
export function requireMatch(
  ifMatch: readonly number[] | undefined,
  versions: readonly (number | undefined)[],
): void {
  if (ifMatch === undefined) return
  // Thousands of records may be compared with thousands of versions.
  const wanted: ReadonlySet<number | undefined> = new Set(ifMatch)
  if (versions.every((version) => wanted.has(version))) return
  const message = 'The resource has changed since you read it: read it again'
  throw new DomainError('precondition_failed', message)
}
