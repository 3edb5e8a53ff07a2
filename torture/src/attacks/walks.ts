import type { Attack } from '../attack.ts'
import { fillTable } from '../fill-table.ts'
import { waitForFields } from '../wait-for-fields.ts'

/** Formulas, each the sum of the two before. */
const levels = 60

/** Above this many records, what follows is left to the background. */
const records = 10_001

export const walks: Attack = {
  name: 'walks',
  about: `${levels} formulas, each the sum of the two before: duplicated, converted, finished in the background`,
  run: async ({ newAttacker, isShort }) => {
    const { api, baseId } = await newAttacker('walker')
    const table = await api.tables.createTable({
      baseId,
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'F0' },
        { type: 'number', name: 'F1' },
      ],
      records: [],
    })
    for (let level = 2; level < levels; level++) {
      const expression = `{F${level - 1}} + {F${level - 2}}`
      await api.fields.createField({
        tableId: table.id,
        type: 'formula',
        name: `F${level}`,
        options: { expression },
      })
    }
    const nodes = await api.tree.listNodes({ baseId })
    const nodeId = nodes.find(({ resourceId }) => resourceId === table.id)?.id ?? ''
    await api.tree.duplicateNode({ baseId, nodeId, includeRecords: true })
    await fillTable(api, table.id, isShort ? 200 : records, (index) => ({ F0: index, F1: 1 }))
    const fieldId = table.fields[1]?.id ?? ''
    await api.fields.convertField({ tableId: table.id, fieldId, type: 'rating' })
    await waitForFields(api, table.id, 5)
  },
}
