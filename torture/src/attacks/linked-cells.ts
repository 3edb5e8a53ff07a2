import type { Attack } from '../attack.ts'
import { fillTable, isRefused } from '../fill-table.ts'
import { listIds } from '../list-ids.ts'
import { waitForFields } from '../wait-for-fields.ts'

export const linkedCells: Attack = {
  name: 'linked-cells',
  about:
    'cells of 10,000 links in field after field of one record, read by four at once and hashed',
  run: async ({ newAttacker, send, isShort, say }) => {
    const { api, baseId, token } = await newAttacker('chainer')
    const others = await api.tables.createTable({ baseId, name: 'Others', records: [] })
    await fillTable(api, others.id, isShort ? 200 : 10_000, (index) => ({ Name: `${index}` }))
    const names = Array.from({ length: isShort ? 10 : 40 }, (_, index) => `Links ${index}`)
    const table = await api.tables.createTable({
      baseId,
      name: 'Linked',
      fields: [
        { type: 'singleLineText', name: 'Name' },
        ...names.map((name) => ({
          type: 'link' as const,
          name,
          options: { relationship: 'manyMany' as const, foreignTableId: others.id, isOneWay: true },
        })),
      ],
      records: [{ fields: {} }],
    })
    const recordId = table.records[0]?.id ?? ''
    const links = (await listIds(api, others.id)).map((id) => ({ id }))
    let filled = 0
    for (const name of names) {
      const record = { fields: { [name]: links } }
      if (await isRefused(api.records.updateRecord({ tableId: table.id, recordId, record }))) break
      filled++
    }
    say(`${filled} of ${names.length} cells were taken`)
    const headers = { Authorization: `Bearer ${token}` }
    const read = (path: string) => send({ method: 'GET', path, headers })
    await Promise.all(
      Array.from({ length: 4 }, () => read(`/api/table/${table.id}/record/${recordId}`)),
    )
    await Promise.all(
      Array.from({ length: 4 }, () => read(`/api/table/${table.id}/record?take=100`)),
    )
    await read(`/api/base/${baseId}/verify`)
    // One title of all changes: each cell that shows it follows.
    const record = { fields: { Name: 'Another' } }
    await api.records.updateRecord({ tableId: others.id, recordId: links[0]?.id ?? '', record })
    await waitForFields(api, table.id, 2)
  },
}
