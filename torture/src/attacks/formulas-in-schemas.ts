import type { Attack } from '../attack.ts'
import { isRefused } from '../fill-table.ts'

export const formulasInSchemas: Attack = {
  name: 'formulas-in-schemas',
  about:
    'formulas of 8 kB, added one by one to an empty table, and the conversion of what they read',
  run: async ({ newAttacker, isShort }) => {
    const { api, baseId } = await newAttacker('compiler')
    const table = await api.tables.createTable({
      baseId,
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'N' },
      ],
      records: [],
    })
    for (let made = 0; made < (isShort ? 10 : 120); made++) {
      const expression = `${made}${'+{N}'.repeat(2_000)}`
      const field = { tableId: table.id, type: 'formula', options: { expression } } as const
      if (await isRefused(api.fields.createField(field))) break
    }
    const fieldId = table.fields[1]?.id ?? ''
    for (const type of ['singleLineText', 'number', 'checkbox'] as const) {
      await isRefused(api.fields.convertField({ tableId: table.id, fieldId, type }))
    }
  },
}
