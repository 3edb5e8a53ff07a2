import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'
import type { PluginInstall } from './plugin-install.ts'

/** Stores installs of one base. Throws validation_error where the base would have too many, those in the trash counted. */
export async function addInstalls(
  { pluginInstalls }: Pick<WriteTx, 'pluginInstalls'>,
  installs: readonly PluginInstall[],
): Promise<void> {
  const [first] = installs
  if (!first) return
  const count = await pluginInstalls.countInHeld(first.baseId)
  if (count + installs.length > limits.installsPerBase) {
    const most = limits.installsPerBase
    throw invalidAt(
      [],
      `has room for ${most} plugins in the base at most: remove some that are there first`,
    )
  }
  await pluginInstalls.insert(installs)
}
