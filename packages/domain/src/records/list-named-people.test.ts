import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { expect, test } from 'vitest'

describeOnEveryStorage('the people whom cells name', (storage) => {
  test('[RECORD-70] are listed each once, by name, as far as the caller may see them', async () => {
    const world = await openTableWorld(storage)
    try {
      const { ada, api } = world
      const bob = await world.newCollaborator('Bob', 'viewer')
      const eve = await world.newPerson('Eve')
      const table = await world.makeNames('Books', 'a', 'b', 'c')
      const tableId = table.id
      const user = { tableId, type: 'user', name: 'Reader' } as const
      const { id: fieldId } = await api.fields.createField(user)
      const { records } = await api.records.listRecords({ tableId, fieldKeyType: 'id' })
      const readers = [bob, ada, bob].map(({ userId: id }) => ({ id }))
      await api.records.updateRecords({
        ...{ tableId, fieldKeyType: 'id' },
        records: records.map(({ id }, index) => ({ id, fields: { [fieldId]: readers[index] } })),
      })
      const list = (more: object = {}, { records } = bob.api) =>
        records.listNamedPeople({ tableId, fieldId, ...more })
      const refused = { code: 'not_found' }
      await expect(list({}, eve.api)).rejects.toMatchObject(refused)
      const [{ id: primaryId } = { id: '' }] = await api.fields.listFields({ tableId })
      await expect(list({ fieldId: primaryId })).rejects.toMatchObject(refused)
      await expect(list({ fieldId: 'fldNowhere' })).rejects.toMatchObject(refused)
      const shown = ({ userId, email }: typeof ada, userName: string) => ({
        ...{ userId, userName, email },
        avatar: expect.any(String),
      })
      expect(await list()).toEqual([shown(ada, 'ada'), shown(bob, 'bob')])
      expect(await list({ search: 'B' })).toMatchObject([{ userName: 'bob' }])
      expect(await list({ skip: 1, take: 1 })).toMatchObject([{ userName: 'bob' }])
      const scopes = new Set(['record|read'] as const)
      const token = { kind: 'token', userId: bob.userId, tokenId: 'acc', scopes } as const
      const [first] = await list({}, world.engine.as(token))
      expect(first).not.toHaveProperty('email')
      await withLimits({ peopleNamed: 1 }, () =>
        expect(list()).rejects.toMatchObject({ data: { issues: [{ path: ['fieldId'] }] } }),
      )
    } finally {
      await world.close()
    }
  })
})
