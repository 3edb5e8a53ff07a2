import { mayUse } from '../plugins/find-plugin.ts'
import { type Plugin, pageUrlOf } from '../plugins/plugin.ts'
import { plainLogo } from '../plugins/shipped-plugins.ts'
import type { Settings } from '../settings.ts'
import type { PluginInstall } from './plugin-install.ts'

/**
 * What an install shows of its plugin: its page only where who installed it may use the plugin. A page that is reviewed anew,
 * or was withdrawn, is nobody's but its maker's.
 */
export function pageFor(
  plugin: Plugin | undefined,
  { createdBy }: Pick<PluginInstall, 'createdBy'>,
  settings: Pick<Settings, 'publicUrl'>,
): Pick<Plugin, 'logo'> & Partial<Pick<Plugin, 'url' | 'config'>> {
  if (!plugin || !mayUse(plugin, createdBy)) return { logo: plainLogo }
  const { logo, config } = plugin
  const url = pageUrlOf(plugin, settings)
  return {
    logo,
    ...(url !== undefined && { url }),
    ...(config !== undefined && { config: { ...config } }),
  }
}
