import type { Attack } from '../attack.ts'
import { fillTable, isRefused } from '../fill-table.ts'
import { waitForFields } from '../wait-for-fields.ts'

export const growingTexts: Attack = {
  name: 'growing-texts',
  about: 'thirty text formulas, each joining the two before, over 2,500 records, from one change',
  run: async ({ newAttacker, isShort }) => {
    const { api, baseId } = await newAttacker('grower')
    const { id: tableId } = await api.tables.createTable({
      baseId,
      fields: [
        { type: 'singleLineText', name: 'T0' },
        { type: 'singleLineText', name: 'T1' },
      ],
      records: [],
    })
    for (let level = 2; level < 30; level++) {
      const expression = `{T${level - 1}} & {T${level - 2}}`
      const options = { expression }
      await api.fields.createField({ tableId, type: 'formula', name: `T${level}`, options })
    }
    await isRefused(
      fillTable(api, tableId, isShort ? 50 : 2_500, () => ({ T0: 'ab', T1: 'cd' }), 10_000),
    )
    await waitForFields(api, tableId, 15)
  },
}
