import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { uninstall } from '../../boards/board-installs.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onPanelInstall } from '../panel-guard.ts'
import { panelKind } from '../panel-kind.ts'

/** Takes a plugin from a panel, for good, and from its layout. */
export const uninstallFromPanel = defineWrite({
  summary: 'Remove a plugin from a panel',
  input: z.object({ tableId: idSchema, pluginPanelId: idSchema, pluginInstallId: idSchema }),
  output: noOutput,
  access: onPanelInstall('table|update'),
  run: (context) => uninstall(context, panelKind, context.panel, context.install),
})
