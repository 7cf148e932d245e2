import { type AuthScheme, flowOf, isOAuth, schemeFaultOf } from './auth-scheme.js';

const TOKEN = { tokenUrl: 'https://as.test/token' };
const CODE = { ...TOKEN, authorizationUrl: 'https://as.test/authorize' };
const DEVICE = { ...TOKEN, deviceAuthorizationUrl: 'https://as.test/device' };
const ISSUER = 'https://as.test';

describe('a scheme', () => {
  it.each<[unknown]>([
    [{ type: 'apiKey', in: 'header', name: 'X-Key' }],
    [{ type: 'apiKey', in: 'query', name: 'key' }],
    [{ type: 'apiKey', in: 'cookie', name: 'key' }],
    [{ type: 'http', scheme: 'bearer' }],
    [{ type: 'http', scheme: 'basic' }],
    [{ type: 'custom', tag: 'vault' }],
    [{ type: 'oauth2', flows: { authorizationCode: CODE } }],
    [{ type: 'oauth2', flows: { clientCredentials: TOKEN, authorizationCode: undefined } }],
    [{ type: 'oauth2', flows: { deviceAuthorization: DEVICE } }],
    [{ type: 'openIdConnect', openIdConnectUrl: ISSUER }],
    [{ type: 'openIdConnect', openIdConnectUrl: ISSUER, flow: 'deviceAuthorization' }],
  ])('%j can be used', (scheme) => {
    expect(schemeFaultOf(scheme)).toBeUndefined();
  });

  const place = 'has an apiKey scheme without a name, or whose "in" is not header, query or cookie';
  const flows = 'state exactly one of authorizationCode, clientCredentials, deviceAuthorization';

  it.each<[unknown, string]>([
    [undefined, 'has the unknown scheme {"type":"undefined"}; the known schemes are'],
    [null, 'has the unknown scheme {"type":"undefined"}; the known schemes are'],
    ['apiKey', 'has the unknown scheme {"type":"undefined"}; the known schemes are'],
    [{ type: 'saml' }, 'has the unknown scheme {"type":"saml"}; the known schemes are { type: "apiKey" }'],
    [{ type: 'http' }, 'has the unknown scheme {"type":"http"}'],
    [{ type: 'http', scheme: 'digest' }, 'has the unknown scheme {"type":"http","scheme":"digest"}'],
    [{ type: 'basic', scheme: 'basic' }, 'has the unknown scheme {"type":"basic","scheme":"basic"}'],
    [{ type: 'http', scheme: 7 }, 'has the unknown scheme {"type":"http"};'],
    [{ type: 'apiKey', in: 'body', name: 'key' }, place],
    [{ type: 'apiKey', name: 'key' }, place],
    [{ type: 'apiKey', in: 'header' }, place],
    [{ type: 'apiKey', in: 'header', name: '' }, place],
    [{ type: 'apiKey', in: 'header', name: 7 }, place],
    [{ type: 'custom' }, 'has a custom scheme without a tag'],
    [{ type: 'custom', tag: '' }, 'has a custom scheme without a tag'],
    [{ type: 'oauth2' }, `has an oauth2 scheme with no flow; ${flows}`],
    [{ type: 'oauth2', flows: null }, `has an oauth2 scheme with no flow; ${flows}`],
    [
      { type: 'oauth2', flows: { clientCredentials: TOKEN, authorizationCode: CODE } },
      `has an oauth2 scheme with the flows clientCredentials, authorizationCode; ${flows}`,
    ],
    [
      { type: 'oauth2', flows: { password: TOKEN } },
      `has an oauth2 scheme with the flows password; ${flows}`,
    ],
    [
      { type: 'oauth2', flows: { authorizationCode: TOKEN } },
      'has an oauth2 scheme whose flow authorizationCode has no authorizationUrl',
    ],
    [
      { type: 'oauth2', flows: { authorizationCode: { ...CODE, tokenUrl: '' } } },
      'has an oauth2 scheme whose flow authorizationCode has no tokenUrl',
    ],
    [
      { type: 'oauth2', flows: { clientCredentials: {} } },
      'has an oauth2 scheme whose flow clientCredentials has no tokenUrl',
    ],
    [
      { type: 'oauth2', flows: { deviceAuthorization: TOKEN } },
      'has an oauth2 scheme whose flow deviceAuthorization has no deviceAuthorizationUrl',
    ],
    [
      { type: 'oauth2', flows: { deviceAuthorization: { ...DEVICE, tokenUrl: 7 } } },
      'has an oauth2 scheme whose flow deviceAuthorization has no tokenUrl',
    ],
    [{ type: 'openIdConnect' }, 'has an openIdConnect scheme without an openIdConnectUrl'],
    [
      { type: 'openIdConnect', openIdConnectUrl: ISSUER, flow: 'implicit' },
      'has an openIdConnect scheme with the unknown flow "implicit"; use one of authorizationCode, clientCredentials, ' +
        'deviceAuthorization',
    ],
  ])('%j cannot: it %s', (scheme, fault) => {
    expect(schemeFaultOf(scheme)).toContain(fault);
  });

  it.each<[AuthScheme, boolean, string | undefined]>([
    [{ type: 'oauth2', flows: { clientCredentials: TOKEN } }, true, 'clientCredentials'],
    [{ type: 'openIdConnect', openIdConnectUrl: ISSUER }, true, 'authorizationCode'],
    [
      { type: 'openIdConnect', openIdConnectUrl: ISSUER, flow: 'clientCredentials' },
      true,
      'clientCredentials',
    ],
    [{ type: 'apiKey', in: 'header', name: 'X-Key' }, false, undefined],
    [{ type: 'http', scheme: 'bearer' }, false, undefined],
    [{ type: 'custom', tag: 'vault' }, false, undefined],
  ])('%j is of OAuth: %s, by the flow %s', (scheme, isOf, flow) => {
    expect([isOAuth(scheme), flowOf(scheme)]).toEqual([isOf, flow]);
  });
});
