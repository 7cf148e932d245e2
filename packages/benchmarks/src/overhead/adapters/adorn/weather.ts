import { tool } from 'adorn';

import { reportWeather, type WeatherReport } from '../../weather-report.js';

/** The service whose method the model calls. */
// adorn-ignore undocumented-parameter: the tools it is compared with say no more
export class Weather {
  /** Weather for a city. */
  @tool()
  async getWeather(city: string, units: 'c' | 'f'): Promise<WeatherReport> {
    return reportWeather(city, units);
  }
}
