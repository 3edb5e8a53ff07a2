import { localSortText } from '@gateleg/domain/queries/local-sort-text'
import { foldCase } from '@gateleg/domain/values/text'
import { timeZone } from '@gateleg/domain/values/time-zone'
import type Database from 'better-sqlite3'

/** Gives a connection what queries need and SQLite hasn't; see the dialect. Null gives null. */
export function addQueryFunctions(database: Database.Database): void {
  database.function('gateleg_fold', { deterministic: true }, (text) =>
    typeof text === 'string' ? foldCase(text) : null,
  )
  database.function('gateleg_local', { deterministic: true }, (moment, zone) =>
    typeof moment === 'string' ? localSortText(moment, timeZone(String(zone))) : null,
  )
}
