"""Playmobil: melee of horse and foot, elephants, chariots and siege engines."""
