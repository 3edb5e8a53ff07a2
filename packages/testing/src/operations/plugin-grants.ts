import { actions } from '@gateleg/domain/access/roles'
import fc from 'fast-check'
import { ref } from '../differential/arguments.ts'
import { type ScriptedFeature, scripted } from '../differential/scripted-operation.ts'

const scopes = fc.oneof(fc.constant([...actions]), fc.subarray([...actions]))

/** Secrets and codes are others on each storage: a script has none that is right but by what it has learnt. */
const secret = fc.nat({ max: 3 })

interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

export const pluginGrantOperations: ScriptedFeature<'pluginGrants'> = {
  createPluginCode: scripted({
    weight: 2,
    args: fc.record({ plugin: ref, base: ref }),
    toInput: ({ plugin, base }, { plugins, bases }) => ({
      pluginId: plugins.idOf(plugin),
      baseId: bases.idOf(base),
    }),
    learn: ({ pluginCodes }, { code }: { readonly code: string }, { pluginId, baseId }) => {
      pluginCodes.push({ pluginId: String(pluginId), baseId: String(baseId), text: code })
    },
  }),
  createPluginToken: scripted({
    weight: 2,
    args: fc.record({ code: secret, secret, scopes }),
    toInput: ({ code, secret, scopes }, { pluginCodes, plugins }) => {
      const known = pluginCodes.at(-1 - code)
      const pluginId = known?.pluginId ?? 'plgNone'
      const found = plugins.all.find(({ id }) => id === pluginId)
      return {
        ...{ pluginId, baseId: known?.baseId ?? 'bseNone', scopes },
        secret: (secret > 0 && found?.secret) || 'wrong',
        authCode: known?.text ?? 'none',
      }
    },
    learn: (known, { accessToken, refreshToken }: Tokens, { pluginId }) => {
      known.tokens.add({ id: accessToken, text: accessToken })
      known.pluginRefreshTokens.push({ pluginId: String(pluginId), text: refreshToken })
    },
  }),
  refreshPluginToken: scripted({
    weight: 1,
    args: fc.record({ token: secret, secret }),
    toInput: ({ token, secret }, { pluginRefreshTokens, plugins }) => {
      const known = pluginRefreshTokens.at(-1 - token)
      const pluginId = known?.pluginId ?? 'plgNone'
      const found = plugins.all.find(({ id }) => id === pluginId)
      return {
        pluginId,
        secret: (secret > 0 && found?.secret) || 'wrong',
        refreshToken: known?.text ?? 'none',
      }
    },
    learn: (known, { accessToken, refreshToken }: Tokens, { pluginId }) => {
      known.tokens.add({ id: accessToken, text: accessToken })
      known.pluginRefreshTokens.push({ pluginId: String(pluginId), text: refreshToken })
    },
  }),
}
