import type { Attack } from '../attack.ts'

const columns = 60

export const variedColumns: Attack = {
  name: 'varied-columns',
  about: 'changes of another set of columns each time: each is another statement',
  run: async ({ newAttacker, isShort }) => {
    const { api, baseId } = await newAttacker('varier')
    const fields = Array.from({ length: columns }, (_, index) => ({
      type: 'number' as const,
      name: `C${index}`,
    }))
    const table = await api.tables.createTable({
      baseId,
      fields: [{ type: 'singleLineText', name: 'Name' }, ...fields],
    })
    const recordId = table.records[0]?.id ?? ''
    for (let turn = 1; turn < (isShort ? 200 : 2_000); turn++) {
      const chosen = fields.filter((_, index) => ((turn * 2_654_435_761) >>> (index % 31)) & 1)
      const changed = Object.fromEntries(chosen.map(({ name }) => [name, turn]))
      await api.records.updateRecord({ tableId: table.id, recordId, record: { fields: changed } })
    }
  },
}
