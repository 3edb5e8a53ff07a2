import type { StoredAvatar } from '@gateleg/domain/accounts/users/avatar-repository'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

/** Declares what every AvatarRepository promises. */
export function avatarRepositoryContract({ store }: OpenedStorage): void {
  const avatarOf = (userId: string, id: string): StoredAvatar => ({
    ...{ id, userId, path: `bytes-${id}`, size: 900 },
  })
  const replace = (avatar: StoredAvatar) => store.write((tx) => tx.avatars.replace(avatar))
  const find = (id: string) => store.read((tx) => tx.avatars.find(id))
  const known = (...paths: string[]) =>
    store.read(async (tx) => (await tx.avatars.knownPaths(paths)).toSorted())

  describe('every AvatarRepository', () => {
    it('[STORE-350] keeps one picture of each user, which takes the place of the one before', async () => {
      await replace(avatarOf('usr1', 'one'))
      await replace(avatarOf('usr2', 'two'))
      expect(await find('one')).toEqual(avatarOf('usr1', 'one'))
      await replace(avatarOf('usr1', 'next'))
      expect([await find('one'), await find('none')]).toEqual([undefined, undefined])
      expect(await find('next')).toEqual(avatarOf('usr1', 'next'))
      expect(await find('two')).toEqual(avatarOf('usr2', 'two'))
      expect(await known('bytes-one', 'bytes-two', 'other', 'bytes-next')).toEqual([
        'bytes-next',
        'bytes-two',
      ])
      expect(await known()).toEqual([])
    })

    it('[STORE-350] forgets the picture of one user', async () => {
      await replace(avatarOf('usr1', 'one'))
      await replace(avatarOf('usr2', 'two'))
      const remove = (userId: string) => store.write((tx) => tx.avatars.deleteOfUser(userId))
      expect([await remove('usr1'), await remove('usr1')]).toEqual([true, false])
      expect(await find('one')).toBeUndefined()
      expect(await known('bytes-one', 'bytes-two')).toEqual(['bytes-two'])
    })
  })
}
