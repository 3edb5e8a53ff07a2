import type { Attack } from '../attack.ts'
import { fillTable } from '../fill-table.ts'
import { waitForFields } from '../wait-for-fields.ts'

export const longWork: Attack = {
  name: 'long-work',
  about: '400,000 records: created in bulk, converted, computed, paged deeply, hashed',
  run: async ({ newAttacker, isShort, say }) => {
    const { api, baseId } = await newAttacker('worker')
    const table = await api.tables.createTable({
      baseId,
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Number' },
      ],
      records: [],
    })
    const tableId = table.id
    const count = isShort ? 20_000 : 400_000
    const toFields = (index: number) => ({ Name: `Record ${index}`, Number: index })
    await fillTable(api, tableId, count, toFields, 20_000)
    say('filled')
    const fieldId = table.fields[1]?.id ?? ''
    await api.fields.convertField({ tableId, fieldId, type: 'singleLineText' })
    await waitForFields(api, tableId, 10)
    say('converted')
    const options = { expression: '{Name} & "!"' }
    await api.fields.createField({ tableId, type: 'formula', options })
    await waitForFields(api, tableId, 10)
    say('computed')
    for (let turn = 0; turn < 10; turn++)
      await api.records.listRecords({ tableId, skip: count - 10 })
    await api.bases.verifyBase({ baseId })
  },
}
