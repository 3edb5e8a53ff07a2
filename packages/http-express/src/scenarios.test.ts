import { testScenarios } from '@gateleg/testing/http/scenario'
import { accountScenarios } from '@gateleg/testing/http/scenarios/accounts'
import { billingScenarios } from '@gateleg/testing/http/scenarios/billing'
import { bodyScenarios } from '@gateleg/testing/http/scenarios/bodies'
import { dashboardScenarios } from '@gateleg/testing/http/scenarios/dashboards'
import { fieldScenarios } from '@gateleg/testing/http/scenarios/fields'
import { loginProviderScenarios } from '@gateleg/testing/http/scenarios/login-providers'
import { pluginPanelScenarios } from '@gateleg/testing/http/scenarios/plugin-panels'
import { pluginScenarios } from '@gateleg/testing/http/scenarios/plugins'
import { recordScenarios } from '@gateleg/testing/http/scenarios/records'
import { routingScenarios } from '@gateleg/testing/http/scenarios/routing'
import { spaceScenarios } from '@gateleg/testing/http/scenarios/spaces'
import { treeScenarios } from '@gateleg/testing/http/scenarios/tree'
import { unknownMemberScenarios } from '@gateleg/testing/http/scenarios/unknown-members'
import { viewScenarios } from '@gateleg/testing/http/scenarios/views'

testScenarios('routing', routingScenarios)
testScenarios('bodies', bodyScenarios)
testScenarios('unknown members', unknownMemberScenarios)
testScenarios('accounts', accountScenarios)
testScenarios('spaces', spaceScenarios)
testScenarios('billing', billingScenarios)
testScenarios('login providers', loginProviderScenarios)
testScenarios('plugins', pluginScenarios)
testScenarios('tree', treeScenarios)
testScenarios('dashboards', dashboardScenarios)
testScenarios('plugin panels', pluginPanelScenarios)
testScenarios('fields', fieldScenarios)
testScenarios('records', recordScenarios)
testScenarios('views', viewScenarios)
