import { DomainError, invalidAt } from '../errors.ts'

/**
 * Refuses with `precondition_failed` unless the version is one of those that the call asks for; a resource without a
 * version matches none of them. Does nothing where the call asks for no version.
 */
export function requireMatch(
  ifMatch: readonly number[] | undefined,
  version: number | undefined,
): void {
  if (ifMatch === undefined) return
  if (!ifMatch.some((wanted) => wanted === version)) throw refusal(ifMatch, version !== undefined)
}

/**
 * Like `requireMatch` for a call that names several resources: a single version must match each of them; as many
 * versions as resources must match one by one, in the order of the call. Any other number of versions is a
 * `validation_error`.
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

/** The version for tags that are weak or not ours: no resource has it, because versions begin at 1. */
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
