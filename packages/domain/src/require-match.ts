import { DomainError, invalidAt } from './errors.ts'

/**
 * Refuses with `precondition_failed` unless the version is one of those that the call asks for; what has no
 * version has none of them. Anything will do where the call asks for none.
 */
export function requireMatch(
  ifMatch: readonly number[] | undefined,
  version: number | undefined,
): void {
  if (ifMatch === undefined) return
  if (!ifMatch.some((wanted) => wanted === version)) throw refusal(ifMatch, version !== undefined)
}

/**
 * The same for a call that names several things: a single version is asked of each of them, as many versions
 * as there are things of one each, in the order of the call. `validation_error` for any other number: which of
 * the things another caller may have changed can't be known then.
 */
export function requireEachMatch(
  ifMatch: readonly number[] | undefined,
  versions: readonly (number | undefined)[],
): void {
  if (ifMatch === undefined) return
  const isOneForAll = ifMatch.length === 1
  if (!isOneForAll && ifMatch.length !== versions.length) {
    const each = `${versions.length}, one for each that the request names, in its order`
    const wanted = versions.length === 1 ? 'one version' : `one version for all, or ${each}`
    throw invalidAt(['If-Match'], `must name ${wanted}: it names ${ifMatch.length}`)
  }
  if (versions.every((one, index) => one === ifMatch[isOneForAll ? 0 : index])) return
  throw refusal(ifMatch, true)
}

/** What tags name that are weak or those of others: nothing has this version, as the first one is 1. */
export const noVersion = 0

function refusal(ifMatch: readonly number[], hasVersion: boolean): DomainError {
  return new DomainError('precondition_failed', reasonOf(ifMatch, hasVersion))
}

function reasonOf(ifMatch: readonly number[], hasVersion: boolean): string {
  if (!hasVersion) {
    return 'This call has no version to compare: leave If-Match out'
  }
  if (ifMatch.every((wanted) => wanted === noVersion)) {
    return 'If-Match names no version: send the ETag of an earlier answer, in its quotes and not weak, such as "v3.GKq0iXwVtnQ"'
  }
  return 'The resource has changed since you read it: read it again'
}
