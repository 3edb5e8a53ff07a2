import type { Cast, Place } from '../worlds/place.ts'
import { aggregationSamples } from './aggregations.ts'
import { archiveSamples } from './archives.ts'
import { attachmentSamples } from './attachments.ts'
import { baseSamples } from './bases.ts'
import { billingSamples } from './billing.ts'
import { chartSamples } from './charts.ts'
import { collaboratorSamples } from './collaborators.ts'
import { commentSamples } from './comments.ts'
import { contextMenuSamples } from './context-menus.ts'
import { dashboardSamples } from './dashboards.ts'
import { exportSamples } from './exports.ts'
import { fieldSamples } from './fields.ts'
import { historySamples } from './history.ts'
import { importSamples } from './imports.ts'
import { invitationLinkSamples } from './invitation-links.ts'
import { loginProviderSamples } from './login-providers.ts'
import type { PlacedFeature, SamplesIn } from './operation-sample.ts'
import { pluginPanelSamples } from './plugin-panels.ts'
import { pluginViewSamples } from './plugin-views.ts'
import { recordSamples } from './records.ts'
import { selectionSamples } from './selections.ts'
import { spaceSamples } from './spaces.ts'
import { tableSamples } from './tables.ts'
import { trashSamples } from './trash.ts'
import { treeSamples } from './tree.ts'
import { undoSamples } from './undo.ts'
import { viewSamples } from './views.ts'
import { workflowSamples } from './workflows.ts'

/** A sample of every operation of those features. */
export function samplesIn(
  place: Place,
  cast: Cast,
): { readonly [Feature in PlacedFeature]: ReturnType<SamplesIn<Feature>> } {
  return {
    spaces: spaceSamples(place, cast),
    billing: billingSamples(place, cast),
    loginProviders: loginProviderSamples(place, cast),
    bases: baseSamples(place, cast),
    archives: archiveSamples(place, cast),
    collaborators: collaboratorSamples(place, cast),
    invitationLinks: invitationLinkSamples(place, cast),
    tree: treeSamples(place, cast),
    dashboards: dashboardSamples(place, cast),
    tables: tableSamples(place, cast),
    pluginPanels: pluginPanelSamples(place, cast),
    contextMenus: contextMenuSamples(place, cast),
    fields: fieldSamples(place, cast),
    records: recordSamples(place, cast),
    history: historySamples(place, cast),
    comments: commentSamples(place, cast),
    undo: undoSamples(place, cast),
    views: viewSamples(place, cast),
    pluginViews: pluginViewSamples(place, cast),
    aggregations: aggregationSamples(place, cast),
    charts: chartSamples(place, cast),
    exports: exportSamples(place, cast),
    selections: selectionSamples(place, cast),
    attachments: attachmentSamples(place, cast),
    imports: importSamples(place, cast),
    trash: trashSamples(place, cast),
    workflows: workflowSamples(place, cast),
  }
}
