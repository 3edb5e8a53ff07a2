import type { Attack } from '../attack.ts'
import { fillTable } from '../fill-table.ts'
import { waitForFields } from '../wait-for-fields.ts'

const cellBytes = 250_000

export const largeRecords: Attack = {
  name: 'large-records',
  about: 'records of 1 MB: read by pages of 2,000 by eight at once, hashed, computed, duplicated',
  run: async ({ newAttacker, isShort, send }) => {
    const attacker = await newAttacker('hoarder')
    const { api, baseId, token } = attacker
    const names = ['A', 'B', 'C', 'D']
    const table = await api.tables.createTable({
      baseId,
      fields: names.map((name) => ({ type: 'longText' as const, name })),
      records: [],
    })
    const fields = Object.fromEntries(names.map((name) => [name, name.repeat(cellBytes)]))
    await fillTable(api, table.id, isShort ? 40 : 600, () => fields, 20)
    const read = () =>
      send({
        method: 'GET',
        path: `/api/table/${table.id}/record?take=2000`,
        headers: { Authorization: `Bearer ${token}` },
      })
    await Promise.all(Array.from({ length: 8 }, read))
    await api.bases.verifyBase({ baseId })
    await api.fields.createField({
      tableId: table.id,
      type: 'formula',
      options: { expression: '{A} & {B} & {C}' },
    })
    await waitForFields(api, table.id, 10)
    const fieldId = table.fields[1]?.id ?? ''
    await api.fields.convertField({ tableId: table.id, fieldId, type: 'singleLineText' })
    await waitForFields(api, table.id, 10)
  },
}
