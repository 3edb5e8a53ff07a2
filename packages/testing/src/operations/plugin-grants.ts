import { actions } from '@gateleg/domain/access/roles'
import { findTokenId } from '@gateleg/domain/access-tokens/token-text'
import fc from 'fast-check'
import { ref } from '../scripts/arguments.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'

const scopes = fc.oneof(fc.constant([...actions]), fc.subarray([...actions]))

/** Secrets and codes are others on each storage: a script has none that is right but by what it has learnt. */
const secret = fc.nat({ max: 3 })

interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** The secret of a plugin that was made, or a wrong one. */
function toSecret({ plugins }: ScriptState, pluginId: string, secret: number): string {
  const found = plugins.all.find(({ id }) => id === pluginId)
  return (secret > 0 && found?.secret) || 'wrong'
}

function learnTokens(
  { tokens, pluginRefreshTokens }: ScriptState,
  { accessToken, refreshToken }: Tokens,
  { pluginId }: { readonly pluginId?: unknown },
): void {
  tokens.add({ id: accessToken, text: accessToken })
  pluginRefreshTokens.push({ pluginId: String(pluginId), text: refreshToken })
}

export const pluginGrantOperations: ScriptedFeature<'pluginGrants'> = {
  createPluginCode: scripted({
    weight: 2,
    args: fc.record({ plugin: ref, base: ref }),
    toInput: ({ plugin, base }, { plugins, bases }) => ({
      pluginId: plugins.idOf(plugin),
      baseId: bases.idOf(base),
    }),
    learn: (known, { code }: { readonly code: string }, { pluginId, baseId }) => {
      known.pluginGrants.add({ id: findTokenId(code) ?? '' })
      known.pluginCodes.push({ pluginId: String(pluginId), baseId: String(baseId), text: code })
    },
  }),
  createPluginToken: scripted({
    weight: 2,
    args: fc.record({ code: secret, secret, scopes }),
    toInput: ({ code, secret, scopes }, known) => {
      const kept = known.pluginCodes.at(-1 - code)
      const pluginId = kept?.pluginId ?? 'plgNone'
      return {
        ...{ pluginId, baseId: kept?.baseId ?? 'bseNone', scopes },
        secret: toSecret(known, pluginId, secret),
        authCode: kept?.text ?? 'none',
      }
    },
    learn: learnTokens,
  }),
  createPageToken: scripted({
    weight: 1,
    args: fc.record({ plugin: fc.nat({ max: 3 }), install: ref }),
    toInput: ({ plugin, install }, { installs }) => ({
      pluginId: plugin > 0 ? 'plgchart' : 'plgcontextexample',
      pluginInstallId: installs.idOf(install),
    }),
    learn: ({ tokens }, { accessToken }: Pick<Tokens, 'accessToken'>) =>
      tokens.add({ id: accessToken, text: accessToken }),
  }),
  refreshPluginToken: scripted({
    weight: 1,
    args: fc.record({ token: secret, secret }),
    toInput: ({ token, secret }, known) => {
      const kept = known.pluginRefreshTokens.at(-1 - token)
      const pluginId = kept?.pluginId ?? 'plgNone'
      return {
        ...{ pluginId, secret: toSecret(known, pluginId, secret) },
        refreshToken: kept?.text ?? 'none',
      }
    },
    learn: learnTokens,
  }),
  listPluginGrants: scripted({ weight: 0.5, args: fc.constant({}) }),
  deletePluginGrant: scripted({
    weight: 0.3,
    args: fc.record({ grant: ref }),
    toInput: ({ grant }, { pluginGrants }) => ({ id: pluginGrants.idOf(grant) }),
    learn: ({ pluginGrants }, _answer, { id }) => pluginGrants.drop(String(id)),
  }),
}
