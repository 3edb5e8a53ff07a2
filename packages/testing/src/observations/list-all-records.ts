import type { Api } from '@gateleg/domain/api'

type ListInput = Parameters<Api['records']['listRecords']>[0]
type ListedRecord = Awaited<ReturnType<Api['records']['listRecords']>>['records'][number]

/** All records of a list, page by page: a page may end before it has as many as were asked for. */
export async function listAllRecords(
  api: Api,
  input: Omit<ListInput, 'cursor'>,
): Promise<readonly ListedRecord[]> {
  const found: ListedRecord[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await api.records.listRecords({
      ...input,
      ...(cursor !== undefined && { cursor }),
    })
    found.push(...page.records)
    cursor = page.nextCursor
  }
  return found
}
