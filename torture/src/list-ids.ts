import type { Api } from '@gateleg/domain/api'

/** The ids of all records of a table, in their order. */
export async function listIds(api: Api, tableId: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await api.records.listRecords({
      tableId,
      take: 2_000,
      projection: [],
      ...(cursor !== undefined && { cursor }),
    })
    ids.push(...page.records.map(({ id }) => id))
    cursor = page.nextCursor
  }
  return ids
}
