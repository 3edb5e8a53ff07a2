import type { Storage } from '@gateleg/domain/store'
import { openEngine } from '@gateleg/engine/open-engine'

/** A base of one table of 20 fields with so many records, on a new storage. Answers its id, and that of its space. */
export async function fillBase(
  storage: Storage,
  { records, instanceKey }: { readonly records: number; readonly instanceKey: string },
): Promise<{ readonly baseId: string; readonly spaceId: string }> {
  const engine = await openEngine({ storage, jobs: false, instanceKey })
  const { id: userId } = await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
  const ada = engine.as({ userId })
  const { id: spaceId } = await ada.spaces.createSpace({ name: 'Space' })
  const { id: baseId } = await ada.bases.createBase({ spaceId })
  const choices = [{ name: 'a' }, { name: 'b' }]
  const kinds = [
    { type: 'singleLineText', value: (n: number) => `A text of record ${n}` },
    { type: 'number', value: (n: number) => n / 8 },
    { type: 'date', value: () => '2026-01-02T03:04:05.000Z' },
    { type: 'multipleSelect', options: { choices }, value: () => ['a', 'b'] },
  ]
  const columns = Array.from({ length: 20 }, (_, index) => {
    const { value, ...field } = kinds[index % kinds.length] as (typeof kinds)[number]
    return { field: { ...field, name: `Field ${index}` }, value }
  })
  const fields = columns.map(({ field }) => field) as never
  const table = await ada.tables.createTable({ baseId, fields, records: [] })
  for (let done = 0; done < records; done += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, records - done) }, (_, row) => ({
      fields: Object.fromEntries(
        columns.map(({ field, value }) => [field.name, value(done + row)] as const),
      ),
    }))
    await ada.records.createRecords({ tableId: table.id, records: rows })
  }
  await engine.close()
  return { baseId, spaceId }
}
