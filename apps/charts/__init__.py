"""Charts as SVG text: pure functions, standard library only, words and number format passed in."""

from apps.charts.cycle import BandPoint, CycleMark, CyclePlot, LinkBand, MeasuredPoint, cycle_chart
from apps.charts.dimensions import DimensionRow, dimension_chart
from apps.charts.efficiency import EfficiencyPlot, EfficiencyPoint, efficiency_chart
from apps.charts.labels import (
    CycleLabels,
    DimensionLabels,
    EfficiencyLabels,
    MemoryLabels,
    PowerLabels,
    RackLabels,
    ServerLabels,
    StorageLabels,
    TornadoLabels,
)
from apps.charts.memory import MemoryBar, memory_chart, memory_drawing
from apps.charts.power import FeedCase, FeedPlot, power_chart
from apps.charts.rack import Rack, RackItem, rack_chart
from apps.charts.server import ServerFront, server_front
from apps.charts.storage import Volume, VolumePart, storage_chart
from apps.charts.tornado import Swing, tornado_chart
from apps.charts.values import Drawing, RangeLike

__all__ = [
    "BandPoint",
    "CycleLabels",
    "CycleMark",
    "CyclePlot",
    "DimensionLabels",
    "DimensionRow",
    "Drawing",
    "EfficiencyLabels",
    "EfficiencyPlot",
    "EfficiencyPoint",
    "FeedCase",
    "FeedPlot",
    "LinkBand",
    "MeasuredPoint",
    "MemoryBar",
    "MemoryLabels",
    "PowerLabels",
    "Rack",
    "RackItem",
    "RackLabels",
    "RangeLike",
    "ServerFront",
    "ServerLabels",
    "StorageLabels",
    "Swing",
    "TornadoLabels",
    "Volume",
    "VolumePart",
    "cycle_chart",
    "dimension_chart",
    "efficiency_chart",
    "memory_chart",
    "memory_drawing",
    "power_chart",
    "rack_chart",
    "server_front",
    "storage_chart",
    "tornado_chart",
]
