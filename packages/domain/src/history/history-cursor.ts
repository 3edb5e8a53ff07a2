import { invalidAt } from '../errors.ts'
import { signedPosition, signPosition } from '../records/pages/cursor.ts'
import type { Secrets } from '../secrets.ts'
import type { HistoryPlace } from './history-entry.ts'

/** Where an entry stands: the change of its record, and the how-manieth of that it is, from 0. */
export interface EntryPlace extends HistoryPlace {
  readonly index: number
}

/** Which list of entries a cursor leads through. */
export interface HistoryList {
  readonly tableId: string
  readonly recordId?: string | undefined
  /** Milliseconds since 1970-01-01 UTC. */
  readonly sinceMs: number
  readonly untilMs: number
}

/** The place of the last entry of a page, signed, and bound to the list that it is a page of. */
export function toHistoryCursor(
  secrets: Secrets,
  list: HistoryList,
  { timeMs, autoNumber, version, index }: EntryPlace,
): string {
  return signPosition(secrets, nameOf(list), [timeMs, autoNumber, version, index].join('_'))
}

/** The place that a cursor of the list leads on from; validation_error for any other text. */
export function fromHistoryCursor(secrets: Secrets, list: HistoryList, cursor: string): EntryPlace {
  const position = signedPosition(secrets, nameOf(list), cursor)
  if (position === undefined) {
    throw invalidAt(['cursor'], 'must be the nextCursor of an earlier answer to the same question')
  }
  const [timeMs = 0, autoNumber = 0, version = 0, index = 0] = position.split('_').map(Number)
  return { timeMs, autoNumber, version, index }
}

function nameOf({ tableId, recordId = '', sinceMs, untilMs }: HistoryList): string {
  return ['history', tableId, recordId, sinceMs, untilMs].join(':')
}
