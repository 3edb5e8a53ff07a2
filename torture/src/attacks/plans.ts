import type { Attack } from '../attack.ts'
import { fillTable, isRefused } from '../fill-table.ts'

/** Requests that are on their way at one time. */
const atOnce = 32

export const plans: Attack = {
  name: 'plans',
  about: 'plans of conversions, creations and deletions over many records, 32 at once',
  run: async ({ newAttacker, isShort }) => {
    const { api, baseId } = await newAttacker('planner')
    const names = Array.from({ length: 10 }, (_, index) => `T${index}`)
    const table = await api.tables.createTable({
      baseId,
      fields: names.map((name) => ({ type: 'longText' as const, name })),
      records: [],
    })
    const tableId = table.id
    await fillTable(api, tableId, isShort ? 200 : 50_000, (index) =>
      Object.fromEntries(names.map((name) => [name, `${name} ${index}, 2024-02-28`])),
    )
    const types = ['number', 'date', 'multipleSelect', 'checkbox', 'user'] as const
    const plan = (turn: number) => {
      const fieldId = table.fields[1 + (turn % 9)]?.id ?? ''
      if (turn % 4 === 0) return api.fields.planDeletion({ tableId, fieldId })
      if (turn % 4 === 1) {
        const options = { expression: `REPT({T1}, ${turn})` }
        return api.fields.planCreation({ tableId, type: 'formula', options })
      }
      const type = types[turn % types.length] ?? 'number'
      return api.fields.planConversion({ tableId, fieldId, type })
    }
    let made = 0
    const planOn = async () => {
      while (made < (isShort ? 32 : 128)) await isRefused(plan(made++))
    }
    await Promise.all(Array.from({ length: atOnce }, planOn))
  },
}
