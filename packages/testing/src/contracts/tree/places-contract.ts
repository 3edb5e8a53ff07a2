import type { Role } from '@gateleg/domain/access/roles'
import type { Base } from '@gateleg/domain/bases/base'
import type { Collaborator } from '@gateleg/domain/collaborators/collaborator'
import type { CollaboratorPlace } from '@gateleg/domain/collaborators/collaborator-repository'
import type { Invitation } from '@gateleg/domain/collaborators/invitations/invitation'
import type { Space } from '@gateleg/domain/spaces/space'
import type { Store } from '@gateleg/domain/store'
import { describe, expect, it } from 'vitest'
import { unusedBaseId } from '../../factories/make-table.ts'
import { newBase, newField, newTable, newUser } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

const time = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`
const deletion = { operationId: 'opr1', time: time(9), userId: 'usr1' }

function newSpace(number: number): Space {
  return {
    ...{ id: `spc${number}`, name: `Space ${number}`, createdBy: 'usr1' },
    ...{ createdTime: time(number), version: 1 },
  }
}

function newCollaborator(
  place: CollaboratorPlace,
  userNumber: number,
  role: Role,
  createdBy = 'usr1',
): Collaborator {
  return { ...place, userId: `usr${userNumber}`, role, createdBy, createdTime: time(userNumber) }
}

const inSpace = (resourceId: string) => ({ resourceType: 'space', resourceId }) as const
const inBase = (resourceId: string) => ({ resourceType: 'base', resourceId }) as const

/** Adds two spaces: the first has the first user as its owner and two bases, in one of which the second edits. */
async function addPlaces(store: Store): Promise<readonly [Base, Base]> {
  const first = { ...newBase(unusedBaseId()), order: 2 }
  const second = { ...newBase(unusedBaseId()), order: 1 }
  await store.write(async (tx) => {
    for (const number of [1, 2]) await tx.users.insert(newUser(number))
    for (const number of [2, 1]) await tx.spaces.insert(newSpace(number))
    for (const base of [first, second]) await tx.bases.insert(base)
    await tx.collaborators.insertAll([
      newCollaborator(inSpace('spc1'), 1, 'owner'),
      newCollaborator(inBase(first.id), 2, 'editor'),
    ])
  })
  return [first, second]
}

/** Declares what every SpaceRepository promises. */
export function spaceRepositoryContract({ store }: OpenedStorage): void {
  describe('every SpaceRepository', () => {
    it('[STORE-68] lists the living spaces of a user, oldest first, with their role', async () => {
      await addPlaces(store)
      const join = newCollaborator(inSpace('spc2'), 1, 'viewer')
      await store.write((tx) => tx.collaborators.insert(join))
      const list = (userId: string) => store.read((tx) => tx.spaces.listOf(userId))
      expect(await list('usr1')).toEqual([
        { space: newSpace(1), role: 'owner' },
        { space: newSpace(2), role: 'viewer' },
      ])
      expect(await list('usr2')).toEqual([])
      const renamed = await store.write((tx) => tx.spaces.rename('spc1', 'Other'))
      expect(renamed).toEqual({ ...newSpace(1), name: 'Other', version: 2 })
      await store.write((tx) => tx.spaces.markDeleted('spc2', deletion))
      expect(await list('usr1')).toEqual([{ space: renamed, role: 'owner' }])
    })

    it('[STORE-299] lists the spaces that nobody but a user owns, in the trash or not, and which others are in', async () => {
      await addPlaces(store)
      await store.write(async (tx) => {
        for (const number of [3, 4]) await tx.spaces.insert(newSpace(number))
        await tx.collaborators.insertAll([
          ...[2, 3, 4].map((n) => newCollaborator(inSpace(`spc${n}`), 1, 'owner')),
          newCollaborator(inSpace('spc2'), 2, 'viewer'),
          newCollaborator(inSpace('spc3'), 2, 'owner'),
        ])
        await tx.spaces.markDeleted('spc2', deletion)
      })
      const list = (userId: string, most: number) =>
        store.write((tx) => tx.spaces.listOwnedAlone(userId, most))
      const alone = [
        { space: { id: 'spc1', name: 'Space 1' }, isDeleted: false, isShared: true },
        { space: { id: 'spc2', name: 'Space 2' }, isDeleted: true, isShared: true },
        { space: { id: 'spc4', name: 'Space 4' }, isDeleted: false, isShared: false },
      ]
      expect(await list('usr1', 9)).toEqual(alone)
      expect(await list('usr1', 2)).toEqual(alone.slice(0, 2))
      expect(await list('usr2', 9)).toEqual([])
    })
  })
}

/** Declares what every BaseRepository promises. */
export function baseRepositoryContract({ store }: OpenedStorage): void {
  describe('every BaseRepository', () => {
    it('[STORE-68] lists the living bases in which a user has a role, in their order', async () => {
      const [first, second] = await addPlaces(store)
      const idsOf = async (userId: string) =>
        (await store.read((tx) => tx.bases.listOf('spc1', userId))).map(({ base }) => base.id)
      expect(await idsOf('usr1')).toEqual([second.id, first.id])
      expect(await idsOf('usr2')).toEqual([first.id])
      await store.write((tx) => tx.bases.place(new Map([[first.id, 0.5]])))
      expect(await idsOf('usr1')).toEqual([first.id, second.id])
      const reach = { spaceIds: [], baseIds: [second.id] }
      expect(await store.read((tx) => tx.bases.listAll('usr1', reach))).toEqual([
        { base: second, role: 'owner' },
      ])
      await store.write((tx) => tx.bases.markDeleted(first.id, deletion))
      expect(await idsOf('usr1')).toEqual([second.id])
      expect(await store.read((tx) => tx.bases.listPlaces('spc1'))).toEqual([
        { id: second.id, order: 1 },
      ])
      await store.write((tx) => tx.spaces.markDeleted('spc1', deletion))
      expect(await store.read((tx) => tx.bases.listAll('usr1'))).toEqual([])
    })

    it('[STORE-335] moves a base into another space, with the pins of it', async () => {
      const [first, second] = await addPlaces(store)
      const pin = {
        userId: 'usr1',
        type: 'base',
        id: first.id,
        baseId: first.id,
        order: 1,
      } as const
      const visit = {
        userId: 'usr1',
        resourceType: 'base',
        childId: null,
        baseId: first.id,
      } as const
      const visited = { ...visit, resourceId: first.id, visitedTime: time(1) } as const
      await store.write(async (tx) => {
        await tx.pins.replaceAll('usr1', [{ ...pin, parentId: 'spc1' }])
        for (const parentId of ['spc1', 'spc2']) await tx.lastVisits.note({ ...visited, parentId })
        const place = { spaceId: 'spc2', order: 7, lastModifiedTime: time(8) }
        await tx.bases.moveTo(first, place)
      })
      await store.read(async (tx) => {
        const moved = (await tx.access.findBase(first.id, 'usr2', 'none'))?.base
        const version = first.version + 1
        expect(moved).toEqual({
          ...{ ...first, spaceId: 'spc2', order: 7, lastModifiedTime: time(8) },
          version,
        })
        expect(await tx.bases.listPlaces('spc1')).toEqual([{ id: second.id, order: 1 }])
        expect(await tx.pins.listOf('usr1')).toEqual([{ ...pin, parentId: 'spc2' }])
        const visitsIn = async (id: string) => (await tx.lastVisits.listOf('usr1', id)).length
        expect([await visitsIn('spc1'), await visitsIn('spc2')]).toEqual([0, 1])
      })
    })

    it('[STORE-302] finds which ids are taken, by what lies in the trash, too, and in whatever case', async () => {
      const [first, second] = await addPlaces(store)
      const table = newTable(first.id)
      const field = newField(table, 1, 'number')
      await store.write(async (tx) => {
        await tx.tables.insert(table, [field])
        await tx.bases.markDeleted(second.id, deletion)
        const what = { resourceType: 'base', resourceIds: [second.id] } as const
        await tx.trash.add(deletion, { placeId: second.spaceId, ...what })
        await tx.trash.discard([deletion.operationId])
      })
      const others = ['bseNone', 'fldNone', 'viwNone', 'oprNone']
      const known = [second.id, table.id, field.id, deletion.operationId]
      const asked = [...known.with(1, caseChanged(table.id)), ...others]
      const taken = await store.write((tx) => tx.bases.findTaken(asked))
      expect(taken.toSorted()).toEqual(known.toSorted())
      expect(await store.write((tx) => tx.bases.findTaken([]))).toEqual([])
    })

    it('[STORE-68] changes one base, and counts a version', async () => {
      const [first, second] = await addPlaces(store)
      const change = { name: 'Other', icon: '🪑', lastModifiedTime: time(5) }
      const changed = await store.write((tx) => tx.bases.update(first.id, change))
      expect(changed).toEqual({ ...first, ...change, version: 2 })
      const bases = await store.read((tx) => tx.bases.listOf('spc1', 'usr1'))
      expect(bases.map(({ base }) => base)).toEqual([second, changed])
    })
  })
}

/** The id with its last letters in the other case. */
function caseChanged(id: string): string {
  const isUpper = id.slice(3) === id.slice(3).toUpperCase()
  return id.slice(0, 3) + (isUpper ? id.slice(3).toLowerCase() : id.slice(3).toUpperCase())
}

/** Declares what every AccessRepository promises. */
export function accessRepositoryContract({ store }: OpenedStorage): void {
  describe('every AccessRepository', () => {
    it.each(['none', 'share', 'update'] as const)(
      '[STORE-69] tells where users stand, the stronger of two roles: %s',
      async (lock) => {
        const [base] = await addPlaces(store)
        const table = newTable(base.id)
        await store.write(async (tx) => {
          await tx.tables.insert(table, [newField(table, 1, 'singleLineText')])
          await tx.collaborators.insert(newCollaborator(inBase(base.id), 1, 'viewer'))
        })
        await store.write(async ({ access }) => {
          const space = newSpace(1)
          expect(await access.findSpace('spc1', 'usr1', lock)).toEqual({ space, role: 'owner' })
          expect(await access.findSpace('spc1', 'usr2', lock)).toEqual({ space, role: undefined })
          expect(await access.findBase(base.id, 'usr1', lock)).toEqual({ base, role: 'owner' })
          expect(await access.findTable(table.id, 'usr2', lock)).toEqual({
            ...{ base, table },
            role: 'editor',
          })
          expect(await access.findBase('bseNone', 'usr1', lock)).toBeUndefined()
        })
      },
    )

    it('[STORE-69] answers what lies in something deleted as absent, but to who looks in the trash', async () => {
      const [base, other] = await addPlaces(store)
      const table = newTable(base.id)
      await store.write(async (tx) => {
        await tx.tables.insert(table, [newField(table, 1, 'singleLineText')])
        const { access } = tx
        const found = { base, table, role: 'owner' }
        const look = () => access.findTableOrTrash(table.id, 'usr1', 'update')
        expect(await look()).toEqual({ ...found, isDeleted: false })
        await tx.tables.markDeleted(table.id, deletion)
        expect(await access.findTable(table.id, 'usr1', 'update')).toBeUndefined()
        expect(await look()).toEqual({ ...found, isDeleted: true })
        await tx.spaces.markDeleted('spc1', deletion)
      })
      await store.read(async ({ access }) => {
        expect(await access.findSpace('spc1', 'usr1', 'none')).toBeUndefined()
        expect(await access.findBase(base.id, 'usr1', 'none')).toBeUndefined()
        expect(await access.findTable(table.id, 'usr1', 'none')).toBeUndefined()
        const inTrash = { role: 'owner', isDeleted: true }
        expect(await access.findSpaceOrTrash('spc1', 'usr1', 'none')).toMatchObject(inTrash)
        expect(await access.findBaseOrTrash(base.id, 'usr1', 'none')).toMatchObject(inTrash)
        expect(await access.findTableOrTrash(table.id, 'usr1', 'none')).toBeUndefined()
        expect(await access.findSpaceOrTrash('spc9', 'usr1', 'none')).toBeUndefined()
        const places = { spaceIds: ['spc1', 'spc2'], baseIds: [base.id, other.id] }
        expect(await access.livingPlaces(places)).toEqual({ spaceIds: ['spc2'], baseIds: [] })
        expect(await access.placesWithRole('usr1', places)).toEqual({ spaceIds: [], baseIds: [] })
      })
    })
  })
}

/** Declares what every CollaboratorRepository promises. */
export function collaboratorRepositoryContract({ store }: OpenedStorage): void {
  describe('every CollaboratorRepository', () => {
    it('[STORE-358] counts the people of a space for one transaction after another', async () => {
      await addPlaces(store)
      const steps: string[] = []
      const hold = (name: string) =>
        store.write(async (tx) => {
          await tx.collaborators.holdCount('spc1')
          steps.push(`${name} begins`)
          await tx.spaces.listOf('usr1')
          steps.push(`${name} ends`)
        })
      await Promise.all([hold('one'), hold('two')])
      const [first, second] = steps[0] === 'one begins' ? ['one', 'two'] : ['two', 'one']
      expect(steps).toEqual([first, second].flatMap((name) => [`${name} begins`, `${name} ends`]))
      await store.write((tx) => tx.collaborators.holdCount('spcNone'))
    })

    it('[STORE-70] knows who has which role in a place, and in no other', async () => {
      const [base] = await addPlaces(store)
      const place = inBase(base.id)
      const find = (userId: string) => store.read((tx) => tx.collaborators.find(place, userId))
      const editor = newCollaborator(place, 2, 'editor')
      expect([await find('usr1'), await find('usr2')]).toEqual([undefined, editor])
      const { name: userName, email, avatar } = newUser(2)
      expect(await store.read((tx) => tx.collaborators.list([place]))).toEqual([
        { ...editor, userName, email, avatar },
      ])
      await store.write((tx) => tx.collaborators.changeRole(place, 'usr2', 'viewer'))
      expect(await find('usr2')).toEqual({ ...editor, role: 'viewer' })
      const count = (role: Role) => store.read((tx) => tx.collaborators.countRole(place, role))
      expect([await count('editor'), await count('viewer')]).toEqual([0, 1])
      await store.write((tx) => tx.collaborators.delete(place, 'usr1'))
      await store.write((tx) => tx.collaborators.delete(inSpace('spc1'), 'usr2'))
      expect((await find('usr2'))?.role).toBe('viewer')
      await store.write((tx) => tx.collaborators.delete(place, 'usr2'))
      expect(await find('usr2')).toBeUndefined()
    })

    it('[STORE-300] takes all roles from a user, and knows the tables there until it is told to forget', async () => {
      const [base] = await addPlaces(store)
      const table = newTable(base.id)
      await store.write((tx) => tx.tables.insert(table, [newField(table, 1, 'createdBy')]))
      const page = { after: '', take: 9, fieldTypes: ['createdBy'] as const }
      const showing = async (userId: string) =>
        (await store.read((tx) => tx.tables.listShowing(userId, page))).map(({ id }) => id)
      await store.write((tx) => tx.collaborators.deleteOfUser('usr2'))
      const roles = [inBase(base.id), inSpace('spc1')]
      const left = await store.read((tx) => tx.collaborators.list(roles))
      expect(left.map(({ userId }) => userId)).toEqual(['usr1'])
      expect([await showing('usr1'), await showing('usr2')]).toEqual([[table.id], [table.id]])
      await store.write((tx) => tx.collaborators.forgetPlacesOf('usr2'))
      expect([await showing('usr1'), await showing('usr2')]).toEqual([[table.id], []])
    })

    it('[STORE-70] adds several or none', async () => {
      const [base] = await addPlaces(store)
      const place = inBase(base.id)
      const both = [3, 2].map((number) => newCollaborator(place, number, 'viewer'))
      const adding = store.write((tx) => tx.collaborators.insertAll(both))
      await expect(adding).rejects.toMatchObject({ code: 'conflict' })
      expect(await store.read((tx) => tx.collaborators.find(place, 'usr3'))).toBeUndefined()
    })
  })
}

/** Declares what every InvitationRepository promises. */
export function invitationRepositoryContract({ store }: OpenedStorage): void {
  const place = inSpace('spc1')
  const invitation = (number: number, settings: Partial<Invitation> = {}): Invitation => ({
    ...{ ...place, id: `ivt${number}`, tokenHash: `hash${number}`, role: 'viewer' },
    ...{ email: `ada${number}@example.com`, createdBy: 'usr1' },
    ...{ createdTime: time(number), expiresTime: time(number + 3), ...settings },
  })
  const keep = (...invitations: Invitation[]) =>
    store.write((tx) => tx.invitations.replaceAll(invitations))
  const find = (hash: string) => store.write((tx) => tx.invitations.find(hash))
  const list = (now: number) => store.read((tx) => tx.invitations.listOpen(place, time(now)))

  describe('every InvitationRepository', () => {
    it('[STORE-70] keeps one invitation of an address to a place, and lists those that are open', async () => {
      const elsewhere = invitation(3, inSpace('spc2'))
      await keep(invitation(2), invitation(1), elsewhere)
      expect(await list(0)).toEqual([invitation(1), invitation(2)])
      expect(await list(4)).toEqual([invitation(2)])
      expect(await find('hash1')).toEqual(invitation(1))
      const again = invitation(4, { email: 'ada2@example.com' })
      await keep(again)
      expect(await list(0)).toEqual([invitation(1), again])
      expect(await find('hash2')).toBeUndefined()
      const leftOut = ['ada1@example.com', 'nobody@example.com']
      const count = (tx: Parameters<Parameters<Store['write']>[0]>[0]) =>
        tx.invitations.countOpen(place, time(0), leftOut)
      expect(await store.write(count)).toBe(1)
      await store.write((tx) => tx.invitations.deleteOf(place))
      expect(await list(0)).toEqual([])
      expect(await find('hash3')).toEqual(elsewhere)
    })

    it('[STORE-65] lets one of those who take an invitation at one time have it', async () => {
      await keep(invitation(1))
      const taken = await Promise.all(
        Array.from({ length: 5 }, () => store.write((tx) => tx.invitations.delete('hash1'))),
      )
      expect(taken.filter((wasThere) => wasThere)).toHaveLength(1)
    })

    it('[STORE-67] forgets invitations that have expired, so many at a time', async () => {
      await keep(invitation(1), invitation(2), invitation(3))
      const sweep = () => store.write((tx) => tx.invitations.deleteExpired(time(6), 1))
      expect([await sweep(), await sweep(), await sweep()]).toEqual([1, 1, 0])
      expect(await list(0)).toEqual([invitation(3)])
    })
  })
}
