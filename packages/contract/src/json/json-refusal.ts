import { DomainError, invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import type { JsonExcess, JsonSize } from './json-scan.ts'

/** The refusal of what goes beyond a limit, at the given path; `values` are the most that the text may have. */
export function refusalOf(
  excess: JsonExcess,
  path: readonly string[],
  values: number,
): DomainError {
  switch (excess) {
    case 'depth':
      return invalidAt(path, `must be nested at most ${limits.jsonDepth} levels deep`)
    case 'values':
      return tooLarge(`The body may have ${values} values at most here: send it in parts`)
    case 'members':
      return tooLarge(`An object of the body may have ${limits.jsonMembers} members at most`)
    case 'names':
      return tooLarge(`The members in a body may have ${limits.jsonNames} different names at most`)
    case 'text':
      return tooLarge(
        `A text or name in the body may have ${limits.jsonTextLength} characters at most, as it is written`,
      )
  }
}

/** Refuses what is too much to be parsed in one go. */
export function requireAtOnce({ values, length }: JsonSize): void {
  if (values <= limits.jsonValuesAtOnce && length <= limits.jsonLengthAtOnce) return
  const most =
    values > limits.jsonValuesAtOnce
      ? `${limits.jsonValuesAtOnce} values`
      : `${limits.jsonLengthAtOnce} characters`
  throw tooLarge(
    `Each item of a list in the body, and all that stands outside of its lists, may have ${most} at most: send it in parts`,
  )
}

function tooLarge(message: string): DomainError {
  return new DomainError('payload_too_large', message)
}
