import type { LookupOptions } from '@gateleg/domain/fields/lookup-options'
import type { Table } from '@gateleg/domain/tables/table'
import { describe, expect, it } from 'vitest'
import { unusedBaseId } from '../../factories/make-table.ts'
import { newBase, newField, newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

const deletion = { operationId: 'opr1', time: '2026-02-03T04:05:06.007Z', userId: 'usr1' }

const lookupOptions: LookupOptions = {
  foreignTableId: 'tblForeign',
  lookupFieldId: 'fldLookup',
  linkFieldId: 'fldLink',
  relationship: 'manyOne',
  fkHostTableName: 'bse1.__link_fldLink',
  selfKeyName: '__maker_id',
  foreignKeyName: '__other_id',
}

/** Declares what every DiagramFieldReader promises. */
export function diagramFieldContract({ store, other }: OpenedStorage): void {
  describe('every DiagramFieldReader', () => {
    it('[STORE-351] finds the fields of a base, and those of ids, with the options of links alone', async () => {
      const base = newBase(unusedBaseId())
      const [first, second, trashed] = ['a', 'b', 'c'].map((letter) => ({
        ...newTable(base.id),
        ...{ id: `tbl${letter}${base.id}`, dbTableName: letter },
      })) as [Table, Table, Table]
      const options = { relationship: 'manyOne', foreignTableId: second.id }
      const fields = [
        newField(first, 1, 'singleLineText'),
        newField(first, 2, 'link', { options, order: 2 }),
        newField(first, 3, 'link', { options, order: 1, isLookup: true, lookupOptions }),
      ]
      const others = [newField(second, 1, 'number'), newField(second, 2, 'number')]
      await store.write(async (tx) => {
        await tx.bases.insert(base)
        await tx.tables.insert(first, fields)
        await tx.tables.insert(second, others)
        await tx.tables.insert(trashed, [newField(trashed, 1, 'number')])
        await tx.fields.markDeleted(second, others.slice(1), deletion)
        await tx.tables.markDeleted(trashed.id, deletion)
      })
      const listed = await other.read((tx) => tx.diagramFields.listOfBase(base.id, 9))
      const members = { tableId: first.id, isPrimary: false, isLookup: false, hasError: false }
      const plain = { options: null, lookupOptions: null }
      const expected = [
        {
          ...members,
          ...plain,
          id: fields[0]?.id,
          name: 'Field 1',
          type: 'singleLineText',
          isPrimary: true,
        },
        {
          ...members,
          ...plain,
          id: fields[2]?.id,
          name: 'Field 3',
          type: 'link',
          isLookup: true,
          lookupOptions,
        },
        { ...members, ...plain, id: fields[1]?.id, name: 'Field 2', type: 'link', options },
        {
          ...members,
          ...plain,
          tableId: second.id,
          id: others[0]?.id,
          name: 'Field 1',
          type: 'number',
          isPrimary: true,
        },
      ]
      expect(listed).toEqual(expected)
      const find = (ids: readonly string[]) => other.read((tx) => tx.diagramFields.findAll(ids))
      expect(await other.read((tx) => tx.diagramFields.listOfBase(base.id, 2))).toEqual(
        expected.slice(0, 2),
      )
      const ids = [...fields, ...others].map(({ id }) => id).toReversed()
      expect(await find([...ids, 'fldNone'])).toEqual(expected)
      expect(await find([])).toEqual([])
    })
  })
}
