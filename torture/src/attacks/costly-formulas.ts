import type { Attack } from '../attack.ts'
import { fillTable, isRefused } from '../fill-table.ts'
import { waitForFields } from '../wait-for-fields.ts'

const costly = 'COUNTA(ARRAY_UNIQUE(TEXTSPLIT(REPT("a,",60000),",")))'

export const costlyFormulas: Attack = {
  name: 'costly-formulas',
  about: 'formulas that take their time in every record, and texts that are slow to search',
  run: async ({ newAttacker, isShort }) => {
    const { api, baseId } = await newAttacker('burner')
    const table = await api.tables.createTable({
      baseId,
      fields: [{ type: 'longText', name: 'Text' }],
      records: [],
    })
    const tableId = table.id
    await fillTable(api, tableId, isShort ? 20 : 300, (index) => ({ Text: `${index}` }))
    const formula = (name: string, expression: string) =>
      isRefused(api.fields.createField({ tableId, type: 'formula', name, options: { expression } }))
    for (let made = 0; made < (isShort ? 2 : 20); made++) await formula(`F${made}`, costly)
    const hostile = 'a'.repeat(200_000)
    await formula('Found', `FIND("${'a'.repeat(3_000)}b", {Text})`)
    await formula('Put', `SUBSTITUTE({Text}, "${'a'.repeat(3_000)}b", "")`)
    const [record] = (await api.records.listRecords({ tableId, take: 1 })).records
    await isRefused(
      api.records.updateRecord({
        tableId,
        recordId: record?.id ?? '',
        record: { fields: { Text: hostile } },
      }),
    )
    await waitForFields(api, tableId, isShort ? 2 : 15)
  },
}
