import type { Attack } from '../attack.ts'
import { fillTable, isRefused } from '../fill-table.ts'
import { listIds } from '../list-ids.ts'

export const manyLinks: Attack = {
  name: 'many-links',
  about: 'a request that links ten records to 10,000 others each, as many links as one may make',
  run: async ({ newAttacker, isShort }) => {
    const { api, baseId } = await newAttacker('linker')
    const others = await api.tables.createTable({ baseId, name: 'Others', records: [] })
    const count = isShort ? 500 : 10_000
    await fillTable(api, others.id, count, (index) => ({ Name: `${index}` }))
    const table = await api.tables.createTable({ baseId, name: 'Linked', records: [] })
    await api.fields.createField({
      tableId: table.id,
      type: 'link',
      name: 'Links',
      options: { relationship: 'manyMany', foreignTableId: others.id },
    })
    const ids = await listIds(api, others.id)
    const Links = ids.map((id) => ({ id }))
    const records = Array.from({ length: isShort ? 5 : 10 }, () => ({ fields: { Links } }))
    await isRefused(api.records.createRecords({ tableId: table.id, records }))
  },
}
