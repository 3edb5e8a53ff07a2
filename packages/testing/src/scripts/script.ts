import type { UseCaseName } from '@gateleg/domain/api'

/**
 * Names a thing by its place among those of its kind that a script has met: from 0 on one that is there,
 * counted round; -1 one that never was; below that one that was and is gone.
 */
export type Ref = number

/** A value put in the place of a member of an input, or taken in as one more. */
export interface Spoiling {
  readonly member: number
  readonly value: unknown
}

/** A call of an operation. Made of JSON, and with a meaning whatever happened before. */
export interface Step {
  /** Its place in the script as it was made: what the step makes has the same ids without those before. */
  readonly place: number
  readonly operation: UseCaseName
  /**
   * Who calls: 0 to 2 are people of the script, 3 is nobody; 4 and 5 are the first two people by the session
   * that signing up opened, from 6 on whoever made the last access token, by that; or the administrator.
   */
  readonly actor: number
  /** What the operation takes; things are named by Ref. */
  readonly args: Readonly<Record<string, unknown>>
  /** Milliseconds that pass before. */
  readonly pauseMs?: number
  readonly ifMatch?: readonly number[]
  readonly idempotencyKey?: string
  readonly windowId?: string
  readonly spoiling?: Spoiling
}

/** Calls what only the administrator may: what they own would be seen by the scripts that follow. */
export const administrator = -1

export type Script = readonly Step[]

const minusZero = '-0 as JSON'

/** The value as JSON, in which a negative zero stays one. */
export function toExactJson(value: unknown, indent?: number): string {
  const marked = JSON.stringify(
    value,
    (_key, member) => (Object.is(member, -0) ? minusZero : member),
    indent,
  )
  return marked.replaceAll(`"${minusZero}"`, '-0')
}

/** The script that a file holds. */
export function parseScript(json: string): Script {
  return JSON.parse(json) as Script
}
