import type { Api } from 'gateleg/client'

/** The fields of a record by name; those that are empty are not there. */
export type RecordFields = Readonly<Record<string, unknown>>

/** Records that one page of the walk holds. */
const recordsPerPage = 2_000

/** Walks a table by cursor, from start to end, in the order in which its records were created. */
export async function* readRecords(api: Api, tableId: string): AsyncGenerator<RecordFields, void> {
  for (let cursor: string | undefined; ; ) {
    const page = await api.records.listRecords({ tableId, take: recordsPerPage, cursor })
    for (const { fields } of page.records) yield fields
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}
